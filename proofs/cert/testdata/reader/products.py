"""Evidence that two variants are one game."""
from states import Kept, need, unpack_numbers
from text import LIVE


def alike(claim, s, t):
    if any(s.seeds[p] != t.seeds[q] for p, q in claim.pairs) or s.mover != t.mover: return False
    if LIVE in (s.outcome, t.outcome): return s.outcome == t.outcome
    return fates(claim.system, s) == fates(claim.other, t)


def fates(system, s):
    """How a game has ended for each player."""
    kind, winner = system.outcomes[s.outcome]
    players = range(len(system.players))
    if kind == "win": return ["won" if p == winner else "lose" for p in players]
    if kind != "end" or not system.scores or len(players) == 1: return [kind] * len(players)
    points = [system.scores[p](s) for p in players]
    best = "won" if points.count(max(points)) == 1 else "draw"
    return ["lose" if n < max(points) else best for n in points]


def match(claim, ours, theirs, kept, pairs, why):
    """States of ours and theirs by what they look like, or how their moves are written: each has its like."""
    for name, s in ours.items():
        need(name in theirs and alike(claim, s, theirs[name]), why)
        need(s.outcome != LIVE or (kept[0].key(s), kept[1].key(theirs[name])) in pairs, "a pair is missing")


def closed_product(system, claim, proved, e):
    need(claim.kind in ("refines", "equivalent") and proved, "this evidence shows that plays agree")
    both, pairs = (Kept(system), Kept(claim.other)), unpack_pairs(e, Kept(system), Kept(claim.other))
    seen = [p for p, _ in claim.pairs], [q for _, q in claim.pairs]
    look = lambda side, s: (s.outcome == LIVE, s.mover, *[s.seeds[p] for p in seen[side]])
    ours, theirs = [named(((look(i, s), s) for s in x.starts())) for i, x in enumerate((system, claim.other))]
    match(claim, ours, theirs, both, pairs, "a start has no start of the other variant that looks like it")
    need(claim.kind == "refines" or len(ours) == len(theirs), "a start of the other variant is none of this one")
    for left, right in pairs:
        s, t = both[0].state(left), both[1].state(right)
        need(alike(claim, s, t), "a pair does not look alike")
        ours = named((action.notation(s), to) for action, to in system.steps(s))
        theirs = named((action.notation(t), to) for action, to in claim.other.steps(t))
        match(claim, ours, theirs, both, pairs, "a move has none of the other variant that is like it")
        need(len(ours) == len(theirs) or claim.kind == "refines" and ours, "the other variant has more moves")


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
