"""Independent opinions on an answer, and the verdict."""
