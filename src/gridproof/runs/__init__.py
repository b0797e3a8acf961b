"""What long runs share: child processes and calls in them, interrupts, journals, tables as files, progress."""
