"""Evidence of what positions are worth, and of what a player can force."""
from math import inf
from states import Kept, everywhere, need, unpack
from text import LIVE, NONE


def strategies(system, claim, proved, e):
    kept, shown = Kept(system, e["kept"]), []
    need(claim.kind in ("value", "winner", "best", "can force"), "this evidence is about best play")
    for by in e.get("by", []):
        shown.append((by["shows"], by.get("bound"), unpack(by["packed"], by["count"], kept, 1)))
        need(("bound" in by) == (by["shows"] in ("at least", "at most")), "a bound where there is none")
        need((claim.kind == "can force") == (by["shows"] in ("forces", "prevents")), "a strategy for another claim")
        strategy(system, claim, kept, *shown[-1])
    positions = list(claim.positions())
    need(positions, "there is no position")
    holds = {"value": value_is, "winner": winner_is, "best": best_is, "can force": forced}[claim.kind]
    answers = [holds(system, claim, proved, s, kept, shown) for s in positions]
    need(all(answers) if proved else any(answers), "the strategies do not show what the verdict says")


def margin(system, claim):
    """Whether a position is worth the difference of the scores, and not only who wins."""
    return claim.kind != "winner" and system.scores and all(kind in ("end", "endless") for kind, _ in system.outcomes)


def score(system, claim, s):
    if not system.scores: return None
    difference = system.scores[0](s) - (system.scores[1](s) if len(system.scores) > 1 else 0)
    return difference if margin(system, claim) else (difference > 0) - (difference < 0)


def endless(system, claim, s):
    """What an endless play is worth that comes back to s, or None."""
    return 0 if claim.endless == "draw" else score(system, claim, s) if claim.endless == "scored" else None


def worth(system, claim, s):
    """What a finished state is worth to the first player, or None."""
    kind, winner = system.outcomes[s.outcome]
    if kind == "endless": return endless(system, claim, s)
    if kind == "end": return score(system, claim, s) if margin(system, claim) or len(system.players) > 1 else None
    return {"win": 1 if winner == 0 else -1, "lose": -1, "draw": 0}[kind]


def strategy(system, claim, kept, shows, bound, numbers):
    """Checks that each move that should be good is, from each of the states."""
    sign = -1 if shows == "at most" else 1
    def good(s, to, n):
        m = numbers.get(kept.key(to)) if to.outcome == LIVE else None
        if shows == "forces": return n >= 1 and bool(claim.target(to)) or m is not None and m < n
        if shows == "prevents":
            if claim.within is None: return m is not None or to.outcome != LIVE and not claim.target(to)
            return m is not None and m >= n - 1 or not claim.target(to) and (to.outcome != LIVE or n <= 1)
        if to.outcome != LIVE: w = worth(system, claim, to); return w is not None and sign * w >= sign * bound
        w = endless(system, claim, s)
        if w is None and not margin(system, claim): w = -sign
        return m is not None and (m < n or m == n and w is not None and sign * w >= sign * bound)
    def run():
        s = kept.state(key)
        steps, holds = system.steps(s), claim.kind == "can force" and bool(claim.target(s))
        need(not holds or shows == "forces", "a state that should be prevented")
        if holds: return
        who = {"at least": 0, "at most": 1}.get(shows, claim.player)
        follows = (s.mover == who) != (shows == "prevents")
        moves = [good(s, to, numbers[key]) for _, to in steps]
        need((any if follows and moves else all)(moves) and (moves or shows == "prevents"), "there is no good move")
    for key in numbers:
        need(key[0] == LIVE and numbers[key] >= 0, "a finished state is listed, or a negative number")
        everywhere(run)


def known(system, claim, s, kept, shown):
    """Bounds on what a position is worth to the first player."""
    if s.outcome != LIVE and worth(system, claim, s) is not None: return (worth(system, claim, s),) * 2
    least = inf if margin(system, claim) else 1
    listed = [(shows, bound) for shows, bound, numbers in shown if s.outcome == LIVE and kept.key(s) in numbers]
    return (max([b for shows, b in listed if shows == "at least"], default=-least),
            min([b for shows, b in listed if shows == "at most"], default=least))


def to_player(player, lo, hi): return (-hi, -lo) if player == 1 else (lo, hi)


def value_is(system, claim, proved, s, kept, shown):
    player = claim.player if claim.player is not None else max(s.mover, 0)
    lo, hi = to_player(player, *known(system, claim, s, kept, shown))
    near = [claim.number + by for by in (-1, 0, 1)]  # a comparison changes nowhere else
    return all(claim.op(n, claim.number) == proved for n in [lo, hi] + [n for n in near if lo <= n <= hi])


def winner_is(system, claim, proved, s, kept, shown):
    lo, hi = known(system, claim, s, kept, shown)
    winners = [{1: 0, 0: NONE, -1: 1}[n] for n in range(lo, hi + 1)]
    return all(claim.op(player, claim.player) == proved for player in winners)


def best_is(system, claim, proved, s, kept, shown):
    moves = [(action.notation(s), *to_player(s.mover, *known(system, claim, to, kept, shown)))
             for action, to in system.steps(s)]
    need(moves, "the position has no moves")
    most = max(lo for _, lo, _ in moves)
    need(all(lo == hi if hi >= most else True for _, lo, hi in moves), "it is not known what the moves are worth")
    return ({"".join(move.split()) for move, lo, _ in moves if lo == most} == claim.best) == proved


def forced(system, claim, proved, s, kept, shown):
    if claim.target(s): return proved
    within = inf if claim.within is None else claim.within
    if s.outcome != LIVE: return not proved
    which, key = "forces" if proved else "prevents", kept.key(s)
    numbers = [numbers[key] for shows, _, numbers in shown if shows == which and key in numbers]
    return any(n <= within if proved else claim.within is None or n >= within for n in numbers)
