"""Evidence of plays, and of sets that contain all reachable states."""
from math import inf
from kernel import State
from states import Kept, everywhere, listed, need, unpack
from text import LIVE
from unknown import CannotSay


def play(system, claim, proved, e):
    kept = Kept(system)
    states = [kept.state(key) for key in listed(e.get("states", []), kept)]
    moves = e.get("play", [])
    need(len(states) == len(moves) + 1 and system.is_start(states[0]), "this is no play from a start")
    for s, move, to in zip(states, moves, states[1:]):
        steps = [(a, t) for a, t in system.steps(s, strict=False) if a.notation(s) == move and t.key() == to.key()]
        need(steps, f"{move} does not lead there")
    keys, last = [s.key() for s in states], states[-1]
    if claim.kind in ("unreachable", "invariant", "never stuck"): shown = not proved and not claim.never_holds(last)
    elif claim.kind == "reachable":
        shown = proved and claim.target(last) and (claim.within is None or len(moves) <= claim.within)
    elif claim.kind == "terminates":
        shown = not proved and (keys[-1] in keys[:-1] if claim.within is None else len(moves) > claim.within)
    elif claim.kind == "every step":
        shown = moves and not proved and any(claim.counts(a, s) and not claim.holds(s, t) for a, t in steps)
    else: shown = False
    need(shown, "the play does not show what the verdict says")


def safe(claim, proved):
    shows = {"unreachable": True, "invariant": True, "never stuck": True, "reachable": False}
    need(claim.kind in shows and shows[claim.kind] == proved, "this evidence does not show such a verdict")


def forward_closed(system, claim, proved, e):
    kept = Kept(system, e["kept"])
    states = unpack(e.get("packed", ""), e.get("count", 0), kept)
    if claim.kind in ("reverses", "every step"): need(proved, "this shows no refutation")
    else: safe(claim, proved)
    if claim.kind == "reverses": return reverses(system, claim, kept, states)
    if any(is_open for _, is_open in system.scope.values()):
        need(not kept.pits, "a pit is known, and parameters are open")
        raise CannotSay("how games with any number of seeds begin")
    for s in system.starts(): need(kept.key(s) in states, "a start is missing")
    def run():
        s = kept.state(key)
        need(claim.kind == "every step" or claim.never_holds(s), "a state is one that should not be reached")
        for action, to in system.steps(s):
            need(kept.key(to) in states, "a step leads out of the set")
            if claim.kind == "every step" and claim.counts(action, s):
                need(claim.holds(s, to), "a step is not as the claim says")
    for key in states: everywhere(run)


def reverses(system, claim, kept, states):
    other = claim.other
    here = {q: p for p, q in claim.pairs}
    need(len(other.players) == 1 and all(len(domain) == 1 for domain in other.domains) and len(here) == len(other.pits),
         "the other variant is not decided by its board")
    need(len(kept.vars) == len(system.vars) and len(kept.pits) == len(system.pits), "something is left out")
    for s in system.starts(): need(s.outcome != LIVE or kept.key(s) in states, "a start is missing")
    def board(s): return State([s.seeds[here[q]] for q in range(len(other.pits))], list(other.initial), 0)
    for key in states:
        s = kept.state(key)
        for _, to in system.steps(s):
            need(to.outcome != LIVE or kept.key(to) in states, "a step leads out of the set")
            need(any(t.seeds == board(s).seeds for _, t in other.steps(board(to))), "a step cannot be taken back")


def numbered(system, e):
    kept = Kept(system)
    return kept, unpack(e.get("packed", ""), e.get("count", 0), kept, 1)


def falling_numbers(system, claim, proved, e):
    need(claim.kind == "terminates" and proved, "this evidence shows that play ends")
    kept, numbers = numbered(system, e)
    for s in system.starts():
        need(s.key() in numbers, "a start is missing")
        need(claim.within is None or numbers[s.key()] <= claim.within, "a start has more moves")
    for key, n in numbers.items():
        steps = [numbers.get(to.key()) for _, to in system.steps(kept.state(key))]
        need(None not in steps, "a step leads out of the set")
        need(n == max(steps, default=-1) + 1, "a number is not that of the longest play")


def depths(system, claim, proved, e):
    need(claim.kind in ("count of states", "count of finished"), "this evidence is about numbers of states")
    kept, numbers = numbered(system, e)
    first, reached, counted = {s.key() for s in system.starts()}, set(), 0
    need(all(numbers.get(key) == 0 for key in first), "a start is missing, or has another number than 0")
    for key, n in numbers.items():
        s = kept.state(key)
        need(n >= 0 and (n > 0 or key in first), "a state with the number 0 is no start")
        for _, to in system.steps(s):
            m = numbers.get(to.key(), inf)
            need(m <= n + 1, "a step leads out of the set, or to a greater number")
            if m == n + 1: reached.add(to.key())
        counted += (claim.kind == "count of states" or s.outcome != LIVE) and bool(claim.where(s))
    need(all(n == 0 or key in reached for key, n in numbers.items()), "no step leads to a state")
    need(claim.op(counted, claim.number) == proved, "the number of states is another")
