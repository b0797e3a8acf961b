# The public names of the room: type checkers read them here, and so does lazy_loader.
from . import redundant_houses as redundant_houses
from .certificate import Certificate as Certificate
from .certificate import Certificates as Certificates
from .certify import NotCertified as NotCertified
from .certify import certificate_of as certificate_of
from .certify import certify as certify
from .certify import certify_verdict as certify_verdict
from .check import check as check
