"""The ceilings: best-possible scores as CP-SAT models."""
