"""The endgame room: exact search over the states of a round."""
