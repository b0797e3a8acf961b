"""The search family: one classic program per file, all behind the same session."""
