"""The game room: cards, rules, positions, notation and scoring. Readable and complete, with no speed tricks."""
