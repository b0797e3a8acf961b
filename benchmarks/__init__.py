"""What is timed, how, and against whom: ``python -m benchmarks`` (``make bench``); see README.md here."""
