# The public names and rooms: type checkers read them here, and so does lazy_loader.
from . import backends as backends
from . import bulk as bulk
from . import certificates as certificates
from . import checker as checker
from . import errors as errors
from . import experiments as experiments
from . import explanations as explanations
from . import formats as formats
from . import models as models
from . import papers as papers
from . import pictures as pictures
from . import rules as rules
from . import trees as trees
from ._version import __version__ as __version__
from .auditing import audit as audit
from .bulk.many import to_table as to_table
from .bulk.many import verify_many as verify_many
from .bulk.many import verify_table as verify_table
from .certificates import certify as certify
from .certificates import check as check
from .errors import GridproofError as GridproofError
from .explanations import candidates as candidates
from .explanations import explain as explain
from .formats import parse as parse
from .formats import read as read
from .formats import read_puzzle as read_puzzle
from .formats.puzzle import Puzzle as Puzzle
from .generation.canonical import canonical as canonical
from .generation.images import images as images
from .generation.making import generate as generate
from .generation.minimising import minimise as minimise
from .limits import Limits as Limits
from .output import write as write
from .papers.comparing import compare as compare
from .pipeline import Pipeline as Pipeline
from .puzzle.board import Board as Board
from .puzzle.digits import Digits as Digits
from .puzzle.geometry import Geometry as Geometry
from .puzzle.grid import Grid as Grid
from .questions import count as count
from .questions import solutions as solutions
from .questions import solve as solve
from .questions import verify as verify
from .scoring import score as score
from .scoring import score_columns as score_columns
from .scoring import score_table as score_table
from .solving import rate as rate
from .solving import steps as steps
from .trust.verdict import Status as Status
from .trust.verdict import Verdict as Verdict
from .verbs import compile as compile  # noqa: A004
from .verbs import convert as convert
from .verbs import show as show
from .widget.jupyter import BoardWidget as BoardWidget

__all__: list[str]

def __dir__() -> list[str]: ...
