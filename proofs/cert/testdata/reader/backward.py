"""Evidence of sets closed under predecessors, and of what can be won."""
from itertools import product
from math import inf
from forward import safe
from kernel import State, boards, possible
from laws import blank, flows
from states import Kept, everywhere, listed, need, value
from text import LIVE, NONE, Fault, Illegal, nothing
from unknown import CannotSay, Dead, Unknown, Whole, choose, unknown, ways


class Lost(State):
    """A state of which it is not known what its sowings and transfers lead to."""
    def transfer(self, n, source, into): self.seeds = [unknown() for _ in self.seeds]

    def sow(self, n, source, first, lap, always, only, drop):
        self.seeds = [unknown() for _ in self.seeds]
        self.last, self.was = unknown(0, len(self.seeds) - 1), unknown()
        if drop is not nothing: raise CannotSay("what is done after each drop is not known")


class Undone(Lost):
    """The state before a step that ends in a given one: where seeds are sown, it is found from which seeds."""
    def aim(self, kept, key, sows):
        self.kept, self.sows, self.lost, self.earlier = kept, sows, False, None
        self.after = dict(zip(kept.pits, key[len(key) - len(kept.pits):]))
        return self

    def no_move(self, system): return choose((False, True))
    def transfer(self, *way): self.lost = True; super().transfer(*way)

    def sow(self, n, source, first, lap, always, only, drop):
        if not self.sows: raise Dead
        if self.lost or self.earlier or drop is not nothing:
            self.lost = True
            return super().sow(n, source, first, lap, always, only, drop)
        self.last, self.earlier = choose(list(self.sowings(n, source, first, lap, always, only)) or dead())
        self.seeds = [self.after.get(p, unknown()) for p in range(len(self.seeds))]
        self.was = self.after.get(self.last, unknown(1)) - 1

    def sowings(self, n, source, first, lap, always, only):
        """Yields the last pit, and the seeds before, of all sowings with which no pit gets more than it has."""
        whole, gained, count = n is self.seeds[source], {}, 0
        while all(gained[p] <= self.after.get(p, inf) for p in gained):
            count += 1
            if count > 10**5: raise CannotSay("nothing bounds the number of seeds sown")
            try:
                last = lap.takes(first, always, ())
                before = {p: x - gained.get(p, 0) - (p == last) for p, x in self.after.items()}
                fits = min(before.values(), default=0) >= 0 and not (whole and before.get(source))
                if source in before: before[source] += count
                if fits and (isinstance(n, Unknown) or n == count): yield last, before
                first = lap.takes(first, always, only)
            except Illegal: return
            gained[first] = gained.get(first, 0) + 1
            first = lap.next[first]


def dead(): raise Dead


def predecessors(system, kept, key):
    """The keys of all states with a step to a state of the given key, and maybe of some others."""
    def run():
        s = blank(system, action, Undone).aim(kept, key, choose((False, True)))
        if not s.sows: s.seeds = [s.after.get(p, unknown()) for p in range(len(s.seeds))]
        try: s = system.conclude(action, system.attempt(s, action))
        except (Illegal, Fault): raise Dead
        after = dict(zip(kept.vars_of(key[0]), key[2:]))
        now = list(s.vars)
        if (s.outcome, s.mover) != key[:2] or any(now[v] not in (None, x) for v, x in after.items()): raise Dead
        if s.lost: raise CannotSay("a step cannot be undone without a solver")
        if s.sows != (s.earlier is not None): raise Dead
        vars = [s.vars.first[v] if v in s.vars.first else after[v] if v in after else s.vars[v] for v in kept.vars]
        return (LIVE, action.player, *vars, *[(s.earlier or s.after)[p] for p in kept.pits])
    for action in system.actions: yield from ways(run)


def may_start(system, kept, key):
    """Whether a state of that key may be a start."""
    if any(changes for _, _, changes in system.reactions): raise CannotSay("a reaction changes starts")
    s = kept.state(key)
    s.seeds = [n if p in system.free or p in kept.pits else 0 for p, n in enumerate(s.seeds)]
    def run(): return system.lays_out(s.seeds) and kept.key(system.start(s.seeds)) == key
    return any(ways(run))


def lemmas(system, kept, e):
    """What states are no starts: those in which a variable has a value that no step leads to."""
    only = [(kept.vars.index(v), v, value(system, v, x["value"]))
            for x in e.get("startOnly", []) for v in [system.vars.index(x["var"])]]
    def check(action, s, to):
        for _, v, x in only: need(to.outcome != LIVE or list(to.vars)[v] not in (None, x), "a step leads to a start")
    flows(system, check)
    return lambda key: key[0] == LIVE and any(key[2 + i] == x for i, _, x in only) and not may_start(system, kept, key)


def targets(system, kept, is_target):
    """The keys of all states that are targets, and that some rule can produce."""
    for outcome in (LIVE, *sorted({o for o, _, _ in system.ends})):
        movers = range(len(system.players)) if outcome == LIVE else (NONE,)
        for mover, *vars in product(movers, *[system.domains[v] for v in kept.vars_of(outcome)]):
            s = kept.state((outcome, mover, *vars, *[None] * len(kept.pits)), Lost)
            def may_be():
                if not possible(lambda: is_target(s.copy())): return False
                return outcome == LIVE or any(may_end(system, s, *end) for end in system.ends)
            for board in boards(s.seeds, kept.pits, may_be):
                yield (outcome, mover, *vars, *[board[p] for p in kept.pits])


def may_end(system, s, outcome, player, condition):
    """Whether a state may be finished as one of system.ends says: an ending without a body leaves the board."""
    if outcome != s.outcome: return False
    live = s.copy().begin(0, player)
    live.mover, live.outcome = player, LIVE
    return condition is None or possible(lambda: condition(live))


def closed_backward(system, kept, states, no_start, is_target, few):
    """Checks that targets, and states with a step into the set, are in the set, if they have few seeds."""
    def inside(key): return key in states or no_start(key) or not few(key)
    for key in targets(system, kept, lambda s: is_target(s) and few(kept.key(s))):
        need(inside(key), "a target is missing")
    for key in states:
        for before in predecessors(system, kept, key):
            if inside(before): continue
            def run():
                for _, to in system.steps(kept.state(before), strict=False):
                    need(kept.key(to) != key, "a state with a step into the set is missing")
            everywhere(run)


def ordered(states):
    need(states == sorted(set(states)), "states in another order, or twice")
    return states


def backward_closed(system, claim, proved, e):
    safe(claim, proved)
    kept = Kept(system, e["kept"])
    states = ordered(listed(e.get("states", []), kept))
    no_start = lemmas(system, kept, e)
    closed_backward(system, kept, set(states), no_start, lambda s: not claim.never_holds(s), lambda key: True)
    need(not any(may_start(system, kept, key) for key in states), "a start may be in the set")


def winning(system, e):
    """A set of states from which somebody can win, with their numbers."""
    kept = Kept(system, e["kept"])
    states = ordered(listed(e.get("states", []), kept))
    numbers = dict(zip(states, e.get("moves", [])))
    need(len(states) == len(e.get("moves", [])), "there is not a number for each state")
    if any(kind == "end" for kind, _ in system.outcomes) and system.scores: raise CannotSay("scores say who has won")
    most = e.get("mostSeeds", inf)
    need(most == inf or at_most(system, most), "a start may have more seeds")
    won = [i for i, (kind, _) in enumerate(system.outcomes) if kind == "win"]
    closed_backward(system, kept, numbers, lemmas(system, kept, e), lambda s: s.outcome in won,
                    lambda key: sum(key[len(key) - len(kept.pits):]) <= most)
    for key, n in numbers.items():
        need(key[0] == LIVE or key[0] in won and n == 0, "a finished state is not won")
    return kept, numbers


def at_most(system, most):
    """Whether single conditions of the setup say that a start has no more seeds than most."""
    total = Whole(most + 1)
    seeds = [total.part() if p in system.free else 0 for p in range(len(system.pits))]
    if not system.may_lay_out(seeds): return True
    return sum(most_in(system, p) for p in system.free) <= most


def most_in(system, p):
    """A bound on the seeds of a pit in a start."""
    seeds = [unknown() if q in system.free else 0 for q in range(len(system.pits))]
    for n in range(10**4):
        seeds[p] = unknown(n + 1)
        if not system.may_lay_out(seeds): return n
    return inf


def winning_states(system, claim, proved, e):
    need(claim.kind in ("winning starts", "count of winning starts"), "this evidence is about winning starts")
    kept, numbers = winning(system, e)
    won_from = {}
    for key, n in numbers.items():
        def run():
            steps = system.steps(kept.state(key), strict=False)
            need(any(numbers.get(kept.key(to), inf) < n for _, to in steps), "no move is nearer to the win")
        if key[0] == LIVE: everywhere(run)
        if not may_start(system, kept, key): continue
        seeds = [unknown() if p in system.free else 0 for p in range(len(system.pits))]
        for p, x in zip(kept.pits, key[len(key) - len(kept.pits):]): seeds[p] = x
        others = sorted(system.free - set(kept.pits))
        for board in boards(seeds, others, lambda: system.may_lay_out(seeds)):
            s = system.start(board)
            if kept.key(s) == key: won_from[s.key()] = s
    if claim.kind == "winning starts":
        fits = [[bool(x(s)) for x in claim.listed] for s in won_from.values()]
        holds = all(map(any, fits)) and all(map(any, zip(*fits))) and (fits or not claim.listed)
    else: holds = claim.op(sum(bool(claim.where(s)) for s in won_from.values()), claim.number)
    need(bool(holds) == proved, "other starts can be won")


def winning_plan(system, claim, proved, e):
    need(claim.kind == "strategy wins" and proved, "this evidence shows that a strategy wins")
    kept, numbers = winning(system, e)
    followed = claim.other
    for key, n in numbers.items():
        def run():
            steps = followed.steps(kept.state(key))
            nearer = all(numbers.get(kept.key(to), inf) < n for _, to in steps)
            need(steps and nearer, "the strategy does not come nearer to a win")
        if key[0] == LIVE: everywhere(run)
