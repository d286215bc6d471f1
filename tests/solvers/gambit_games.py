"""Stage games for Gambit."""

from __future__ import annotations

from io import StringIO
from itertools import product

import numpy as np
import pygambit


def gambit_game(tensor: np.ndarray) -> pygambit.Game:
    """The game in Gambit's ``.nfg`` format, in which seat 0's pick runs fastest."""
    sizes, seats = tensor.shape[:-1], tensor.shape[-1]
    names = " ".join(f'"seat {seat}"' for seat in range(seats))
    joint = [place[::-1] for place in product(*map(range, sizes[::-1]))]
    payoffs = " ".join(f"{number:g}" for place in joint for number in tensor[place])
    return pygambit.read_nfg(
        StringIO(f'NFG 1 R "stage" {{ {names} }} {{ {" ".join(map(str, sizes))} }}\n\n{payoffs}\n')
    )
