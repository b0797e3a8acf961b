"""Tools of long runs: child processes and calls in them, interrupts, journals, tables as files, progress."""
