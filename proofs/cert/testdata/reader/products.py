"""Evidence that two variants are one game."""
from states import Kept, need, unpack_numbers
from text import LIVE


def look(claim, side, s):
    """What has to be the same in a state of one side."""
    system = (claim.system, claim.other)[side]
    board = [s.seeds[pair[side]] for pair in claim.pairs] if claim.agrees in ("play", "notation") else []
    if s.outcome == LIVE: return (*board, s.mover)
    points = [system.scores[p](s) for p in range(len(system.scores))] if claim.agrees == "score" else []
    return (*board, *fates(system, s), *points)


def fates(system, s):
    """How a game has ended for each player."""
    kind, winner = system.outcomes[s.outcome]
    players = range(len(system.players))
    if kind == "win": return ["won" if p == winner else "lose" for p in players]
    if kind != "end" or not system.scores or len(players) == 1: return [kind] * len(players)
    points = [system.scores[p](s) for p in players]
    best = "won" if points.count(max(points)) == 1 else "draw"
    return ["lose" if n < max(points) else best for n in points]


def moves(claim, side, s):
    """States that moves lead to, by what a move is known by."""
    out = {}
    for action, to in (claim.system, claim.other)[side].steps(s):
        out.setdefault(look(claim, side, to) if claim.agrees == "play" else " ".join(action.notation(s).split()), []).append(to)
    if claim.agrees != "play": need(all(len({to.key() for to in l}) == 1 for l in out.values()), "two moves are written alike")
    return out


def closed_product(system, claim, proved, e):
    need(claim.kind in ("refines", "equivalent") and proved, "this evidence shows that plays agree")
    both, pairs = (Kept(system), Kept(claim.other)), unpack_pairs(e, Kept(system), Kept(claim.other))
    first = lambda side, s: (s.outcome == LIVE, s.mover, *[s.seeds[pair[side]] for pair in claim.pairs], look(claim, side, s))
    ours, theirs = [named(((first(i, s), s) for s in x.starts())) for i, x in enumerate((system, claim.other))]
    inside = lambda s, t: s.outcome != LIVE or (both[0].key(s), both[1].key(t)) in pairs
    same = lambda s, t: look(claim, 0, s) == look(claim, 1, t) and inside(s, t)
    need(all(x in theirs and inside(s, theirs[x]) for x, s in ours.items()), "a start has no start of the other variant that looks like it")
    need(claim.kind == "refines" or len(ours) == len(theirs), "a start of the other variant is none of this one")
    for left, right in pairs:
        s, t = both[0].state(left), both[1].state(right)
        ours, theirs = moves(claim, 0, s), moves(claim, 1, t)
        need(all(any(same(a, b) for b in theirs.get(x, [])) for x, l in ours.items() for a in l), "a move has none of the other variant that is like it")
        need(ours or not theirs, "only one is stuck")
        if claim.kind == "equivalent": need(all(any(same(a, b) for a in ours.get(x, [])) for x, l in theirs.items() for b in l), "the other variant has more moves")


def named(pairs):
    names = {}
    for name, s in pairs: need(names.setdefault(name, s).key() == s.key(), "two are written alike, or look alike")
    return names


def unpack_pairs(e, left, right):
    wide = unpack_numbers(e.get("packed", ""))
    a, b = 2 + len(left.vars) + len(left.pits), 2 + len(right.vars) + len(right.pits)
    need(len(wide) == (a + b) * e.get("count", 0), "a pair is cut off")
    keys = [tuple(wide[i:i + a + b]) for i in range(0, len(wide), a + b)]
    need(all(x < y for x, y in zip(keys, keys[1:])), "pairs in another order")
    return {(left.valid(k[:a]), right.valid(k[a:])) for k in keys}
