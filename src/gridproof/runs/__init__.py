"""What long runs share: child processes, interrupts, files."""
