"""Evidence that needs no states: bodies are followed from a state of which nothing is known."""
from math import inf
from forward import safe
from kernel import State
from states import Variables, everywhere, need
from text import LIVE, NONE, Fault, Illegal, Over, nothing
from unknown import CannotSay, Dead, Unknown, Whole, bounds, choices, choose, divides, replace, total, unknown


class Flow(State):
    """A state of which nothing is known. Seeds remain sums of those at first."""
    def no_move(self, system): return choose((False, True))

    def sow(self, n, source, first, lap, always, only, drop):
        """Sows each number of seeds up to the length of the lap, or more: then each pit that takes any gets some."""
        number = choose(range(1, len(lap.pits) + 2)) if isinstance(n, Unknown) else n
        if number <= len(lap.pits):
            self.equal(n, number)
            return super().sow(number, source, first, lap, always, only, drop)
        if drop is not nothing: raise CannotSay("something is done after each drop")
        first, takers = lap.takes(first, always, only), []
        while first not in takers:
            takers.append(first)
            first = lap.takes(lap.next[first], always, only)
        self.last, self.was = choose(takers + sorted(set(lap.pits) & only - always)), unknown()
        drops = [(p, unknown(1)) for p in takers] + [(self.last, 1)] * (self.last in only)
        self.equal(n, sum(x for _, x in drops))
        for p, x in drops: self.transfer(x, source, p)

    def loops(self, condition, body):
        """Goes on from some state in which a round may begin. Known of these are their aspect, last and next."""
        heads = [(self.aspect(self), self.last, self.next)]
        for head in heads: heads += [h for h in self.after_round(condition, body, head) if h not in heads]
        s = self.arbitrary(self.before.copy(), *choose(heads))
        if condition(s): raise Dead
        self.__dict__.update(s.__dict__)
        return True

    def after_round(self, condition, body, head):
        """The heads after a round, whatever the step began with: they are found once for each head."""
        def round():
            s = self.arbitrary(self.before.blank(), *head)
            try:
                if not condition(s): raise Dead
                body(s)
            except (Illegal, Fault): raise Dead
            except Over: raise CannotSay("a loop may end the game")
            after[s.aspect(s), s.last, s.next] = True
        if (body, head) not in self.rounds:
            after = self.rounds[body, head] = {}
            everywhere(round)
        return self.rounds[body, head]

    def arbitrary(self, before, aspect, last, next):
        """Any state in which a round may begin that has this aspect."""
        s = self.blank()
        s.before, s.last, s.next = before, last, next
        s.locals, s.was, s.origin = [unknown(-inf, inf) for _ in s.locals], unknown(), unknown(0, len(s.seeds) - 1)
        if s.aspect(s) != aspect: raise Dead
        return s

    def blank(self):
        """A state like this one, but of which nothing is known."""
        s = self.copy()
        s.seeds, s.vars = [unknown() for _ in s.seeds], Variables([None] * len(s.vars), s.vars.domains)
        return s

    def equal(self, x, y):
        """From here on x is y: one of the numbers of seeds at first follows from this."""
        if not isinstance(x, Unknown): return
        symbol = next(iter(x.terms))
        if x.terms[symbol] != 1: raise CannotSay("which numbers of seeds a sum leaves open")
        for s in (self, self.before) if self.before else (self,): s.seeds = [replace(n, symbol, y - x) for n in s.seeds]
        choices.facts = [replace(fact, symbol, y - x) for fact in choices.facts]


def blank(system, action, kind):
    """A state of which nothing is known but that it is live, and the player to move."""
    return kind([unknown() for _ in system.pits], Variables([None] * len(system.vars), system.domains), action.player)


def flows(system, check, aspect=lambda s: None, assume=lambda action, s: True):
    """Lets check see all steps from states for which assume holds: the action, the state before, and that after it.

    Aspect tells what is known of a state at the head of a loop, compared with the state before the step.
    """
    def run():
        s = blank(system, action, Flow)
        s.before, s.aspect, s.rounds = s, aspect, rounds
        if not assume(action, s): raise Dead
        try: to = system.conclude(action, system.attempt(s, action))
        except (Illegal, Fault): raise Dead
        check(action, s, to)
    rounds = {}
    for action in system.actions: everywhere(run)


def change(s, to, weights):
    return total(*((n, w) for p, weight in enumerate(weights) if weight
                   for n, w in ((to.seeds[p], weight), (s.seeds[p], -weight))))


def seed_moves(system, claim, proved, e):
    need(claim.kind in ("every step", "every step over all states") and proved, "this evidence shows what every step does")
    def check(action, s, to): need(gives(to), "a step may not be as the claim says")
    def gives(to):
        try: return claim.gives(to)
        except Fault: return False
    flows(system, check, gives, claim.counts)


def falling_rank(system, claim, proved, e):
    need(claim.kind == "terminates" and proved and claim.within is None, "this evidence shows that play ends")
    need({len(weights) for weights in e.get("weights", [])} <= {len(system.pits)}, "there is not a weight for each pit")
    def level(s):
        """The first level that has become less, or what has happened instead."""
        for i, weights in enumerate(e.get("weights", [])):
            more = change(s.before, s, weights)
            if more < 0: return i
            if more > 0: return "risen"
        return "equal"
    def check(action, s, to):
        need(to.outcome != LIVE or level(to) not in ("risen", "equal"), "a move may not lower the rank")
    flows(system, check, level)


def conserved_seeds(system, claim, proved, e): no_target(system, claim, proved, [])


def seed_groups(system, claim, proved, e):
    groups = [({system.pits.index(p) for p in group["pits"]}, group.get("every")) for group in e.get("groups", [])]
    for group in e.get("groups", []): need(len(group["pits"]) == len(set(group["pits"])), "a pit is twice in a group")
    kept = [p for pits, every in groups if not every for p in pits]
    need(len(kept) == len(set(kept)), "groups that keep their seeds have pits in common")
    def check(action, s, to):
        for pits, every in groups:
            more = change(s, to, [p in pits for p in range(len(system.pits))])
            need(divides(every, more) if every else bounds(more)[0] >= 0, "seeds may leave a group")
    flows(system, check)
    no_target(system, claim, proved, groups)


def no_target(system, claim, proved, groups):
    """Checks that no state is a target which has as many seeds as a start, and in each group what may be there."""
    safe(claim, proved)
    atoms = [tuple(p in pits for pits, _ in groups) for p in range(len(system.pits))]
    kinds = sorted(set(atoms))
    def sums(seeds): return tuple(sum(n for n, atom in zip(seeds, atoms) if atom == kind) for kind in kinds)
    for here in {sums(s.seeds) for s in system.starts()}:
        for there in shares(sum(here), len(kinds)):
            if not all(may_hold(every, *[sum(n for n, kind in zip(x, kinds) if kind[g]) for x in (here, there)])
                       for g, (_, every) in enumerate(groups)): continue
            def run():
                wholes = {kind: Whole(n, n) for kind, n in zip(kinds, there)}
                vars = Variables([None] * len(system.vars), system.domains)
                s = State([wholes[atom].part() for atom in atoms], vars, mover, outcome)
                need(claim.never_holds(s), "a state with as many seeds may be one that should not be reached")
            for outcome in range(LIVE, len(system.outcomes)):
                for mover in range(len(system.players)) if outcome == LIVE else (NONE,): everywhere(run)


def may_hold(every, at_first, now): return (now - at_first) % every == 0 if every else now >= at_first


def shares(total, count):
    """All ways to share a total among a number of parts."""
    if count == 1: yield (total,); return
    for n in range(total + 1):
        for rest in shares(total - n, count - 1): yield (n, *rest)


def finite_positions(system, claim, proved, e):
    need(claim.kind == "terminates" and proved and claim.within is None, "this evidence shows that play ends")
    need(claim.by_repetition and system.repetition and not system.repetition[0], "no rule ends a play that comes back")


class Idle(Flow):
    """A state in which the player to move has no move but fallbacks, if that is so."""
    idle = True
    def no_move(self, system): return True if self.idle else choose((False, True))


def goes_on(system, player, condition, locals, body):
    """Whether the game may go on after the body of a reaction."""
    after = []
    def run():
        s = Idle([unknown() for _ in system.pits], Variables([None] * len(system.vars), system.domains), player)
        s.idle, s.before, s.aspect, s.rounds = False, s, lambda s: None, {}
        if not condition(s.begin(0, player)): raise Dead
        try: body(s.begin(locals, player))
        except (Illegal, Fault, Over): raise Dead
        after.append(s)
    everywhere(run)
    return bool(after)


def last_words(system):
    """The reactions after which, and after later ones, the game never goes on, but for those at the end of a turn."""
    words = []
    for at_end, by, _ in reversed(system.reactions):
        if any(goes_on(system, player, *of) for player, of in by.items()): break
        if not at_end: words.append(by)
    return words


def undecided(e, what):
    if e.get("follows"): raise CannotSay(f"{what}, if players have to go on from a pit")


def live_states(system, player, check):
    """Lets check see what a live state may be in which a player is to move: no last word ends the game there."""
    words = last_words(system)
    def run():
        s = Idle([unknown() for _ in system.pits], Variables([None] * len(system.vars), system.domains), player)
        s.before, s.aspect, s.rounds = s, lambda s: None, {}
        try: check(s, lambda: any(by[player][0](s.begin(0, player)) for by in words))
        except Fault: raise Dead  # a condition that ends the game has no value, so no step leads there
    everywhere(run)


def no_dead_end(system, claim, proved, e):
    need(claim.kind == "never stuck" and proved, "this evidence shows that nobody is stuck")
    undecided(e, "who has a move")
    if system.repeating: raise CannotSay("whether loops end")
    def legal(s, action):
        try: system.attempt(s, action)
        except (Illegal, Fault): return False
        return True
    def check(s, over):
        if over(): raise Dead
        mine = [a for a in system.actions if a.player == s.mover]
        if any(legal(s, a) for a in mine if a.fallback): return
        if any(legal(s, a) for a in mine if not a.fallback): raise Dead  # there is a move
        need(False, "a live state may have no move")
    for player in range(len(system.players)): live_states(system, player, check)


def over_at_once(system, claim, proved, e):
    safe(claim, proved)
    undecided(e, "where the game is over")
    def target(s):
        try: return claim.target(s)
        except Fault: return True
    def finished():
        s = State([unknown() for _ in system.pits], Variables([None] * len(system.vars), system.domains), NONE, outcome)
        need(not target(s), "a finished state may be one that should not be reached")
    for outcome in range(len(system.outcomes)): everywhere(finished)
    def check(s, over):
        if not target(s): raise Dead
        s.idle = not any(legal(s, a) for a in system.actions if a.player == s.mover and not a.fallback)
        need(over(), "the game may go on in a state that should not be reached")
    def legal(s, action):
        """Whether an action may be legal: its guard may hold, and it does not begin with an empty pit."""
        try: system.attempt(s, action)
        except (Illegal, Fault): return False
        return True
    for player in range(len(system.players)): live_states(system, player, check)


def inductive(system, claim, proved, e): raise CannotSay("an invariant cannot be checked without a solver")
