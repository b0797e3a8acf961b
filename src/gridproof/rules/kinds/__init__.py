"""One file for each kind of rule: a Python module with a subclass of ``Rule``, or a TOML file of a relation."""
