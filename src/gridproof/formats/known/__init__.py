"""The formats: every module of this folder has ``FORMATS``. See ``gridproof.formats.catalog``."""
