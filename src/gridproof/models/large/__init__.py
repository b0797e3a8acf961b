"""Large boards: propagation first, then a model of what is left open."""
