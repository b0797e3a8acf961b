"""The command ``gridproof``, also as ``python -m gridproof``: nothing is imported before Ctrl-C can be answered."""


def main() -> int:
    """Run the command line; returns the exit code. Ctrl-C before and after its work is no traceback."""
    code = 130
    try:
        from gridproof.cli import main as run

        code = run()
    except KeyboardInterrupt:
        pass
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said and done; only Python has to end
    # Python notes a KeyboardInterrupt that comes out of an exec, as dataclasses use it, and would end by the signal
    # instead of with the exit code; another exec makes it forget.
    exec("")
    return code


if __name__ == "__main__":
    import sys

    sys.exit(main())
