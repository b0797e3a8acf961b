"""Benchmarks of what users wait for: ``python -m benchmarks`` (``make bench``); see README.md here."""
