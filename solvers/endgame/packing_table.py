"""The table of packed states: a hash set of fixed-width keys that also numbers them.

Contract of the type (a :class:`StateTable`, and its two arrays in kernels):

- ``rows`` is an int64 array ``(capacity, width)``. Row ``r`` holds in its first ``words`` columns the key of the
  ``r``-th state that was inserted; the other columns belong to the caller (values, stored as the bits of a float64).
- ``index`` is an int64 array whose length is a power of two and at least twice ``capacity``. An entry is -1 (empty) or
  ``tag << 32 | r``, where ``tag`` is 31 bits of the key's hash. A key sits at the first entry, from the slot its hash
  names onwards and wrapping round, that holds it; entries are never deleted, so the first empty entry ends a search.
- Two different keys never share a row: tags only save comparisons, the key itself decides.
- Keys may be looked up in many threads at once while nobody inserts; inserting needs the table to itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.jit import lean_kernel

EMPTY = -1
_ROW_BITS = 32
_ROW_MASK = (1 << _ROW_BITS) - 1
_TAG_MASK = (1 << 31) - 1


@lean_kernel("i8(i8[:,::1], i8, i8)")
def hash_key(keys: Any, place: Any, words: Any) -> Any:
    """A 64-bit hash of the first ``words`` words of ``keys[place]`` (the finaliser of splitmix64 after each word)."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for word in range(words):
        mixed ^= np.uint64(keys[place, word])
        mixed ^= mixed >> np.uint64(30)
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(27)
        mixed *= np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return np.int64(mixed)


@lean_kernel("i8(i8[:,::1], i8[::1], i8[:,::1], i8, i8, i8)")
def _slot(rows: Any, index: Any, keys: Any, place: Any, words: Any, mixed: Any) -> Any:
    """The slot that holds the key ``keys[place]`` of hash ``mixed``, or the empty slot where it would go."""
    mask = np.int64(index.shape[0] - 1)
    tag = (mixed >> 33) & _TAG_MASK
    slot = mixed & mask
    while True:
        entry = index[slot]
        if entry == EMPTY:
            return slot
        if entry >> _ROW_BITS == tag:
            row = entry & _ROW_MASK
            word = 0
            while word < words and rows[row, word] == keys[place, word]:
                word += 1
            if word == words:
                return slot
        slot = (slot + 1) & mask


@lean_kernel("i8(i8[::1], i8[:,::1], i8, i8, i8[::1])")
def _hash_all(index: Any, keys: Any, many: Any, words: Any, hashes: Any) -> Any:
    """Hash ``many`` keys and read their first slots, one straight after the other so that memory is waited for once.

    What is returned means nothing; it keeps the reads from being left out.
    """
    mask = np.int64(index.shape[0] - 1)
    seen = np.int64(0)
    for place in range(many):
        hashes[place] = hash_key(keys, place, words)
    for place in range(many):
        seen += index[hashes[place] & mask]
    return seen


@lean_kernel("void(i8[:,::1], i8[::1], i8[:,::1], i8, i8, i8[::1], i8[::1])")
def find_all(rows: Any, index: Any, keys: Any, many: Any, words: Any, hashes: Any, found: Any) -> Any:
    """The rows of ``many`` keys, ``EMPTY`` for one that is not there; ``hashes`` is scratch."""
    _hash_all(index, keys, many, words, hashes)
    for place in range(many):
        entry = index[_slot(rows, index, keys, place, words, hashes[place])]
        found[place] = EMPTY if entry == EMPTY else entry & _ROW_MASK


@lean_kernel("i8(i8[:,::1], i8[::1], i8[:,::1], i8, i8, i8[::1], i8)")
def insert_all(rows: Any, index: Any, keys: Any, many: Any, words: Any, hashes: Any, count: Any) -> Any:
    """Put ``many`` keys into a table of ``count`` rows; ``hashes`` is scratch.

    Returns the new count. If the table is full before all are in, the complement (``~count``) of the new count: the
    caller makes room and inserts them again.
    """
    _hash_all(index, keys, many, words, hashes)
    for place in range(many):
        slot = _slot(rows, index, keys, place, words, hashes[place])
        if index[slot] == EMPTY:
            if count >= rows.shape[0]:
                return ~count
            for word in range(words):
                rows[count, word] = keys[place, word]
            index[slot] = (((hashes[place] >> 33) & _TAG_MASK) << _ROW_BITS) | count
            count += 1
    return count


@lean_kernel("void(i8[:,::1], i8[::1], i8, i8, i8)")
def reindex(rows: Any, index: Any, words: Any, start: Any, stop: Any) -> Any:
    """Enter rows ``start`` to ``stop``, known to be distinct, into an index that does not hold them yet."""
    mask = np.int64(index.shape[0] - 1)
    for row in range(start, stop):
        mixed = hash_key(rows, row, words)
        slot = mixed & mask
        while index[slot] != EMPTY:
            slot = (slot + 1) & mask
        index[slot] = (((mixed >> 33) & _TAG_MASK) << _ROW_BITS) | row


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

    def add(self, keys: np.ndarray) -> None:
        """Insert keys, one a row of an int64 array of at least ``words`` columns, growing as needed."""
        hashes = np.empty(len(keys), dtype=np.int64)
        if self.count + len(keys) > self.capacity:
            self.grow(max(self.count + len(keys), 2 * self.capacity))
        self.count = int(insert_all(self.rows, self.index, keys, len(keys), self.words, hashes, self.count))

    def find(self, keys: np.ndarray) -> np.ndarray:
        """The rows of keys (as :meth:`add` takes them), ``EMPTY`` for one that is not there."""
        hashes, found = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
        find_all(self.rows, self.index, keys, len(keys), self.words, hashes, found)
        return found

    def values(self) -> np.ndarray:
        """The extra columns of every stored state as float64, shape ``(count, extras)``; a view."""
        return self.rows[: self.count, self.words :].view(np.float64)


def _slots(capacity: int) -> int:
    return 1 << max(4, (2 * capacity - 1).bit_length())
