"""A board to set puzzles on, to solve and to teach with: its state, its edits and its analysis, without a host.

``widget/jupyter.py`` is the host in Jupyter (``gridproof.BoardWidget``); ``page/`` shows the same board in a browser.
"""
