"""Everything that asks the solvers many questions: puzzles, studies, figures and the command line."""
