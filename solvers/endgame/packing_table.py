"""The table of packed states: a hash set of fixed-width keys that also numbers them, and that threads fill together.

Contract of the type (a :class:`StateTable`, and its three arrays in kernels):

- ``rows`` is an int64 array ``(capacity, width)``. Row ``r`` holds in its first ``words`` columns the key of the
  ``r``-th state that was inserted; the other columns belong to the caller (values, stored as the bits of a float64).
- ``index`` is an int64 array whose length is a power of two and at least twice ``capacity``. An entry is ``EMPTY``,
  ``TAKEN`` (a thread is writing that key) or ``tag << 32 | r``, where ``tag`` is 31 bits of the key's hash. A key sits
  at the first entry, from the slot its hash names onwards and wrapping round, that holds it; entries are never deleted,
  so the first empty entry ends a search.
- ``counter`` is an int64 array of one number, the rows in use. All below it are, with no gap.
- Two different keys never share a row: tags only save comparisons, the key itself decides.
- Any number of threads may insert and look up at once; only growing needs the table to itself. The rows' order then
  depends on the threads, the set of keys does not.

An inserting thread turns an empty entry into ``TAKEN``, which only one can, takes the next row, writes the key, and
publishes the row in the entry. Others that meet ``TAKEN`` wait for that, as it may be their key.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvers.endgame.atomics import add, load, replace, store
from solvers.endgame.jit import lean_kernel

EMPTY, TAKEN = -1, -2
_ROW_BITS = 32
_ROW_MASK = (1 << _ROW_BITS) - 1
_TAG_MASK = (1 << 31) - 1
MOST_WORDS = 10
"""Of a key: the hands and tables of five seats."""
_FACTORS = np.random.default_rng(1).integers(1 << 63, size=MOST_WORDS, dtype=np.uint64) | np.uint64(1)


@lean_kernel("i8(i8[:,::1], i8, i8)")
def hash_key(keys: Any, place: Any, words: Any) -> Any:
    """A 64-bit hash of the first ``words`` words of ``keys[place]``.

    The words times odd factors without a pattern, added up, which does not wait for one word after the other, and then
    the finaliser of splitmix64.
    """
    mixed = np.uint64(0)
    for word in range(words):
        mixed += np.uint64(keys[place, word]) * _FACTORS[word]
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return np.int64(mixed)


@lean_kernel("UniTuple(i8, 2)(i8[:,::1], i8[::1], i8[:,::1], i8, i8, i8)")
def probe(rows: Any, index: Any, keys: Any, place: Any, words: Any, mixed: Any) -> Any:
    """The row of the key ``keys[place]`` of hash ``mixed``, or ``EMPTY``, and the slot of its entry.

    If it has none, the slot is where it would go, as long as nobody else has taken that.
    """
    mask = np.int64(index.shape[0] - 1)
    tag = (mixed >> 33) & _TAG_MASK
    slot = mixed & mask
    while True:
        entry = load(index, slot)
        if entry == EMPTY:
            return EMPTY, slot
        if entry == TAKEN:
            continue
        if entry >> _ROW_BITS == tag:
            row = entry & _ROW_MASK
            word = 0
            while word < words and rows[row, word] == keys[place, word]:
                word += 1
            if word == words:
                return row, slot
        slot = (slot + 1) & mask


@lean_kernel("i8(i8[:,::1], i8[::1], i8[:,::1], i8, i8, i8[::1], i8[::1])")
def _hash_all(rows: Any, index: Any, keys: Any, many: Any, words: Any, hashes: Any, found: Any) -> Any:
    """Hash ``many`` keys and read their first slots, then the rows that these name, one straight after the other.

    So memory is waited for once, not for each key. What is returned, or left in ``found``, means nothing; it keeps the
    reads from being left out.
    """
    mask = np.int64(index.shape[0] - 1)
    seen = np.int64(0)
    for place in range(many):
        hashes[place] = hash_key(keys, place, words)
    for place in range(many):
        found[place] = index[hashes[place] & mask]
    for place in range(many):
        if found[place] >= 0:
            seen += rows[found[place] & _ROW_MASK, 0]
    return seen


@lean_kernel("void(i8[:,::1], i8[::1], i8[:,::1], i8, i8, i8[::1], i8[::1])")
def find_all(rows: Any, index: Any, keys: Any, many: Any, words: Any, hashes: Any, found: Any) -> Any:
    """The rows of ``many`` keys, ``EMPTY`` for one that is not there; ``hashes`` is scratch."""
    _hash_all(rows, index, keys, many, words, hashes, found)
    for place in range(many):
        found[place], _ = probe(rows, index, keys, place, words, hashes[place])


@lean_kernel("Tuple((i8, b1))(i8[:,::1], i8[::1], i8[::1], i8[:,::1], i8, i8, i8)")
def insert(rows: Any, index: Any, counter: Any, keys: Any, place: Any, words: Any, mixed: Any) -> Any:
    """The row of a key of hash ``mixed``, a new one if it was not there; and whether it is new.

    ``EMPTY`` comes back if it was not there and the table is full.

    Columns behind the key are written with it, as far as both the table and ``keys`` have them. A thread that takes an
    entry and then finds no row left gives both back; nobody went past the entry meanwhile.
    """
    while True:
        row, slot = probe(rows, index, keys, place, words, mixed)
        if row != EMPTY:
            return row, False
        if replace(index, slot, EMPTY, TAKEN):
            row = add(counter, 0, 1)
            if row >= rows.shape[0]:
                add(counter, 0, -1)
                store(index, slot, EMPTY)
                return EMPTY, False
            for column in range(min(rows.shape[1], keys.shape[1])):
                rows[row, column] = keys[place, column]
            store(index, slot, (((mixed >> 33) & _TAG_MASK) << _ROW_BITS) | row)
            return row, True


@lean_kernel("b1(i8[:,::1], i8[::1], i8[::1], i8[:,::1], i8, i8, i8[::1], i8[::1])")
def insert_all(rows: Any, index: Any, counter: Any, keys: Any, many: Any, words: Any, hashes: Any, found: Any) -> Any:
    """Put ``many`` keys into a table and write their rows to ``found``; ``hashes`` is scratch.

    False if the table is full before all are in: the caller makes room and inserts them again.
    """
    _hash_all(rows, index, keys, many, words, hashes, found)
    for place in range(many):
        found[place], _ = insert(rows, index, counter, keys, place, words, hashes[place])
        if found[place] == EMPTY:
            return False
    return True


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
    """A growing table of packed states: ``words`` key words, ``MOST_WORDS`` at most, and ``extras`` further columns."""

    def __init__(self, words: int, extras: int, capacity: int = 1 << 10) -> None:
        self.words = words
        self.extras = extras
        self.counter = np.zeros(1, dtype=np.int64)
        self.rows = np.empty((capacity, words + extras), dtype=np.int64)
        self.index = np.full(_slots(capacity), EMPTY, dtype=np.int64)

    @property
    def count(self) -> int:
        """Keys in the table."""
        return int(self.counter[0])

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
        hashes, found = np.empty(len(keys), dtype=np.int64), np.empty(len(keys), dtype=np.int64)
        if self.count + len(keys) > self.capacity:
            self.grow(max(self.count + len(keys), 2 * self.capacity))
        insert_all(self.rows, self.index, self.counter, keys, len(keys), self.words, hashes, found)

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
