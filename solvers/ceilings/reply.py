"""``best reply``: a played round in hindsight, with the others' picks as they were.

The others' recorded picks stand, so the seat may take no card that one of them needs. The last card of a hand is no
choice (rules.md, Turn 5): whoever receives it lays what is left, so on the last turn the others lay what the seat's
other picks leave them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from solvers.ceilings.answers import DraftAnswer, Line, PickCost, ReplyAnswer, plain_number
from solvers.ceilings.draft import Question, check_question
from solvers.ceilings.goals import exact_pudding_value
from solvers.endgame.limits import Limits
from solvers.endgame.objective import DEFAULT_PUDDING_VALUE
from solvers.errors import IllegalPick, UsageError
from solvers.game.cards import Card
from solvers.game.picks import Pick
from solvers.game.position import Position
from solvers.game.rules import Rules


def best_reply(
    position: Position,
    line: Sequence[Sequence[Sequence[Card]]],
    seat: int = 0,
    rules: Rules | None = None,
    pudding_value: Fraction | float | str = DEFAULT_PUDDING_VALUE,
    limits: Limits | None = None,
) -> ReplyAnswer:
    """The most ``seat`` could have scored from ``position`` had the others picked as they did in ``line``.

    ``line`` holds the picks of all seats turn by turn to the end of the round; the last turn may be left out, as it is
    forced. The answer also says what each of the seat's own picks cost: the best still possible before it less the best
    after it; a timeout in ``limits`` may leave costs out. Raises :class:`IllegalPick` for a record the rules do not
    allow and :class:`UsageError` for one that does not reach the end of the round.
    """
    rules, limits = rules or Rules(), limits or Limits()
    check_question(position, seat, rules)
    value, started = exact_pudding_value(pudding_value), time.perf_counter()
    played, positions = played_round(position, line, rules)

    def hindsight(turn: int) -> DraftAnswer:
        """The best from this turn on, with the seat's earlier picks as they were."""
        left = _less(limits, time.perf_counter() - started)
        return Question(positions[turn], seat, "seat", rules, value, left, _others_picks(played[turn:], seat)).answer()

    best = hindsight(0)
    actual = plain_number(Question(position, seat, "seat", rules, value, limits).measure(positions[-1]))
    costs: list[PickCost] = []
    before = best
    for turn, picks in enumerate(played):
        after = hindsight(turn + 1) if turn + 1 < len(played) else None
        if before.value is None or not before.proven or (after is not None and not after.proven):
            break
        rest = actual if after is None or after.value is None else after.value
        better = picks[seat] if rest == before.value else before.line[0][seat]
        costs.append(PickCost(turn, picks[seat], better, before.value, rest))
        before = after or before
    return ReplyAnswer(
        value=best.value,
        status=best.status,
        bound=best.bound,
        stats={**best.stats, "seconds": round(time.perf_counter() - started, 6)},
        interrupted=best.interrupted,
        position=position,
        rules=rules,
        goal="seat",
        seat=seat,
        line=best.line,
        tables=best.tables,
        totals=best.totals,
        pudding_value=best.pudding_value,
        actual=actual,
        picks=tuple(costs),
    )


def played_round(
    position: Position, line: Sequence[Sequence[Sequence[Card]]], rules: Rules
) -> tuple[Line, list[Position]]:
    """The whole line, its forced last turn added where it is missing, and every position along it.

    Raises :class:`IllegalPick`, naming the turn, for a pick the rules do not allow, and :class:`UsageError` for a line
    that stops before the last turn or goes on after it.
    """
    turns = [tuple(tuple(pick) for pick in picks) for picks in line]
    if len(turns) == position.cards_left - 1:
        turns.append(())
    if len(turns) != position.cards_left:
        raise UsageError(
            f"the record has {len(turns)} turns: the hands hold {position.cards_left} cards, so write "
            f"{position.cards_left} turns, or leave out the forced last one"
        )
    positions = [position]
    for turn, picks in enumerate(turns):
        if turn + 1 == len(turns) and not picks:
            turns[turn] = picks = positions[-1].hands
        try:
            positions.append(positions[-1].play(picks, rules))
        except IllegalPick as error:
            raise IllegalPick(f"turn {turn + 1}: {error}") from None
    return tuple(turns), positions


def _others_picks(played: Line, seat: int) -> dict[tuple[int, int], Pick]:
    """The picks that stand, by seat and turn: the others' choices, but not the forced cards of the last turn."""
    return {
        (other, turn): pick
        for turn, picks in enumerate(played[:-1])
        for other, pick in enumerate(picks)
        if other != seat
    }


def _less(limits: Limits, spent: float) -> Limits:
    """The limits with the time that is left."""
    return limits if limits.timeout is None else replace(limits, timeout=max(limits.timeout - spent, 0.001))
