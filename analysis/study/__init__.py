"""The study engine: many seeded questions to the solvers, stored chunk by chunk, summed up in tables."""
