"""The version, apart from the package itself, so that modules need not import that for it."""

__version__ = "0.2.0"
