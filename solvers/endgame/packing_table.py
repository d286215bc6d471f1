"""The table of packed states: a hash set of fixed-width keys that also numbers them.

Contract of the type (a :class:`StateTable`, and its two arrays in kernels):

- ``rows`` is an int64 array ``(capacity, width)``. Row ``r`` holds in its first ``words`` columns the key of the
  ``r``-th state that was inserted; the other columns belong to the caller (values, stored as the bits of a float64).
- ``index`` is an int64 array whose length is a power of two and at least twice ``capacity``. An entry is -1 (empty) or
  ``tag << 32 | r``, where ``tag`` is 31 bits of the key's hash. A key sits at the first entry, from the slot its hash
  names onwards and wrapping round, that holds it; entries are never deleted, so the first empty entry ends a search.
- Two different keys never share a row: tags only save comparisons, the key itself decides.
- ``find`` may run in many threads at once while nobody inserts; ``insert`` needs the table to itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import kernel

EMPTY = -1
FULL = -2
_ROW_BITS = 32
_ROW_MASK = (1 << _ROW_BITS) - 1
_TAG_MASK = (1 << 31) - 1


@kernel("u8(i8[::1], i8)")
def hash_key(key: Any, words: Any) -> Any:
    """A 64-bit hash of the first ``words`` words of a key (the finaliser of splitmix64 after each word)."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for word in range(words):
        mixed ^= np.uint64(key[word])
        mixed ^= mixed >> np.uint64(30)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(27)
        mixed *= np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return mixed


@kernel("i8(i8[:,::1], i8[::1], i8[::1], i8, u8)")
def _slot(rows: Any, index: Any, key: Any, words: Any, mixed: Any) -> Any:
    """The slot that holds the key, or the empty slot where it would go."""
    mask = np.int64(index.shape[0] - 1)
    tag = np.int64(mixed >> np.uint64(33))
    slot = np.int64(mixed & np.uint64(mask))
    while True:
        entry = index[slot]
        if entry == EMPTY:
            return slot
        if entry >> _ROW_BITS == tag:
            row = entry & _ROW_MASK
            word = 0
            while word < words and rows[row, word] == key[word]:
                word += 1
            if word == words:
                return slot
        slot = (slot + 1) & mask


@kernel("i8(i8[:,::1], i8[::1], i8[::1], i8)")
def find(rows: Any, index: Any, key: Any, words: Any) -> Any:
    """The row of a key, or ``EMPTY`` when it is not there."""
    entry = index[_slot(rows, index, key, words, hash_key(key, words))]
    return EMPTY if entry == EMPTY else entry & _ROW_MASK


@kernel("i8(i8[:,::1], i8[::1], i8[::1], i8, i8)")
def insert(rows: Any, index: Any, key: Any, words: Any, count: Any) -> Any:
    """Put a key into a table of ``count`` rows; the new count, the same one if it was there, or ``FULL``."""
    mixed = hash_key(key, words)
    slot = _slot(rows, index, key, words, mixed)
    if index[slot] != EMPTY:
        return count
    if count >= rows.shape[0]:
        return FULL
    for word in range(words):
        rows[count, word] = key[word]
    index[slot] = (np.int64(mixed >> np.uint64(33)) << _ROW_BITS) | count
    return count + 1


@kernel("void(i8[:,::1], i8[::1], i8, i8, i8)")
def reindex(rows: Any, index: Any, words: Any, start: Any, stop: Any) -> Any:
    """Enter rows ``start`` to ``stop``, known to be distinct, into an index that does not hold them yet."""
    mask = np.int64(index.shape[0] - 1)
    for row in range(start, stop):
        mixed = hash_key(rows[row], words)
        slot = np.int64(mixed & np.uint64(mask))
        while index[slot] != EMPTY:
            slot = (slot + 1) & mask
        index[slot] = (np.int64(mixed >> np.uint64(33)) << _ROW_BITS) | row


@kernel("i8(i8[:,::1], i8[::1], i8, i8, i8[:,::1], i8, i8)")
def merge(rows: Any, index: Any, words: Any, count: Any, others: Any, start: Any, stop: Any) -> Any:
    """Insert rows ``start`` to ``stop`` of another table, which must fit; the new count."""
    for row in range(start, stop):
        count = insert(rows, index, others[row], words, count)
    return count


class StateTable:
    """A growing table of packed states. ``words`` key words and ``extras`` further columns a state."""

    def __init__(self, words: int, extras: int, capacity: int = 1 << 10) -> None:
        self.words = words
        self.extras = extras
        self.count = 0
        self.rows = np.empty((capacity, words + extras), dtype=np.int64)
        self.index = np.full(_slots(capacity), EMPTY, dtype=np.int64)

    @property
    def capacity(self) -> int:
        """Rows there is room for before the table has to grow."""
        return int(self.rows.shape[0])

    @property
    def nbytes(self) -> int:
        """Bytes of both arrays."""
        return int(self.rows.nbytes + self.index.nbytes)

    def bytes_to_grow(self, capacity: int) -> int:
        """Bytes the table takes once it has room for ``capacity`` rows."""
        return 8 * (capacity * (self.words + self.extras) + _slots(capacity))

    def grow(self, capacity: int) -> None:
        """Make room for ``capacity`` rows."""
        if capacity <= self.capacity:
            return
        rows = np.empty((capacity, self.words + self.extras), dtype=np.int64)
        rows[: self.count] = self.rows[: self.count]
        self.rows = rows
        if _slots(capacity) > self.index.shape[0]:
            self.index = np.full(_slots(capacity), EMPTY, dtype=np.int64)
            reindex(self.rows, self.index, self.words, 0, self.count)

    def add(self, key: np.ndarray) -> int:
        """Insert one key (growing if need be); its row."""
        if self.count >= self.capacity:
            self.grow(2 * self.capacity)
        self.count = int(insert(self.rows, self.index, key, self.words, self.count))
        return self.find(key)

    def find(self, key: np.ndarray) -> int:
        """The row of a key, or ``EMPTY``."""
        return int(find(self.rows, self.index, key, self.words))

    def values(self) -> np.ndarray:
        """The extra columns of every stored state as float64, shape ``(count, extras)``; a view."""
        return self.rows[: self.count, self.words :].view(np.float64)


def _slots(capacity: int) -> int:
    return 1 << max(4, (2 * capacity - 1).bit_length())
