"""The one way out for puzzles that are made: lines, links and files of other programs, tables, sets that share nothing.

``columns`` states what a row of a table has, ``places`` writes to standard output or to a file that appears when it is
whole, ``sets`` parts puzzles into sets, and ``way_out`` puts these together for the commands and for ``write``.
"""

from gridproof.output.writing import write as write
