# The public names and rooms, one a line: type checkers read them here, and so does __init__.py.
from gridproof import backends as backends
from gridproof import bulk as bulk
from gridproof import certificates as certificates
from gridproof import checker as checker
from gridproof import errors as errors
from gridproof import experiments as experiments
from gridproof import explanations as explanations
from gridproof import formats as formats
from gridproof import models as models
from gridproof import pictures as pictures
from gridproof import rules as rules
from gridproof import trees as trees
from gridproof._version import __version__ as __version__
from gridproof.bulk.many import to_table as to_table
from gridproof.bulk.many import verify_many as verify_many
from gridproof.bulk.many import verify_table as verify_table
from gridproof.certificates import certify as certify
from gridproof.checking import check as check
from gridproof.errors import GridproofError as GridproofError
from gridproof.experiments import compare as compare
from gridproof.explanations import candidates as candidates
from gridproof.explanations import explain as explain
from gridproof.formats import parse as parse
from gridproof.formats import read as read
from gridproof.formats import read_puzzle as read_puzzle
from gridproof.formats.puzzle import Puzzle as Puzzle
from gridproof.generation.canonical import canonical as canonical
from gridproof.generation.making import generate as generate
from gridproof.generation.minimising import minimise as minimise
from gridproof.limits import Limits as Limits
from gridproof.pipeline import Pipeline as Pipeline
from gridproof.puzzle.board import Board as Board
from gridproof.puzzle.geometry import Geometry as Geometry
from gridproof.puzzle.grid import Grid as Grid
from gridproof.questions import count as count
from gridproof.questions import solutions as solutions
from gridproof.questions import solve as solve
from gridproof.questions import verify as verify
from gridproof.solving import rate as rate
from gridproof.solving import steps as steps
from gridproof.trust.verdict import Status as Status
from gridproof.trust.verdict import Verdict as Verdict
from gridproof.verbs import compile as compile  # noqa: A004
from gridproof.verbs import convert as convert
from gridproof.verbs import show as show
from gridproof.widget.board import BoardWidget as BoardWidget

__all__: list[str]

def __dir__() -> list[str]: ...
