"""The command ``gridproof``, also as ``python -m gridproof``: nothing is imported before Ctrl-C can be answered."""


def main() -> int:
    """Run the command line; returns the exit code. Ctrl-C before and after its work is no traceback."""
    code = 130
    try:
        try:
            from gridproof.cli import main as run

            code = run()
        finally:
            import gc
            import signal

            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the work is done; only Python has to end
            gc.freeze()  # to look for garbage among all that numba has made would take a quarter of a second
    except KeyboardInterrupt:
        pass
    except Exception as problem:
        if not _is_ctrl_c(problem):
            raise
    # Python notes a KeyboardInterrupt that comes out of an exec, as dataclasses use it, and would end by the signal
    # instead of with the exit code; another exec clears the note.
    exec("")
    return code


def _is_ctrl_c(problem: BaseException | None) -> bool:
    """Return whether Ctrl-C caused an error: inside the making of a class or an import it becomes another error."""
    while problem is not None and not isinstance(problem, KeyboardInterrupt):
        problem = problem.__cause__ or problem.__context__
    return problem is not None


if __name__ == "__main__":
    import sys

    sys.exit(main())
