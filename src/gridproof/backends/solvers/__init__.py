"""Solvers as backends: one file each, or a package. A file is found because it is here (see ``gridproof.backends``)."""
