"""The board in a browser tab, without an installation: the Python that runs in the page, and what builds the page.

In the page Python runs in two workers. The first one has the boards and draws them (``page/boards.py``), so that a key
is answered at once, whatever is being found; the second one finds what is to be shown (``page/findings.py``). It is
ended if it does not give way to the next task. ``page/static/`` has the JavaScript, and ``page/building.py`` makes a
folder of files that any web server can serve.
"""
