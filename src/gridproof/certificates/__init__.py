"""Certificates: the verdict on a board with a proof that others can check, with tools that are not ours.

``certify`` takes a board, and ``certificate_of`` an existing verdict; ``check`` has certificates checked.
``docs/certificates.md`` describes the format, and ``gridproof.checker``, which shares no code with this package, writes
the formula that the proof refutes. ``__init__.pyi`` lists the public names, which are imported at their first use: to
check a certificate needs no solver.
"""

import lazy_loader as _lazy_loader

__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
