"""A System, read from its canonical text, and how it is played, as docs/kernel.md says."""
import ast, copy, re
from math import inf
from text import LIVE, NONE, Fault, Illegal, Over, Statements, always
from unknown import CannotSay, Unknown, unknown, ways


class State:
    """A state, and what there is besides while a body runs. Before is the state before the step, for claims."""
    before = None

    def __init__(self, seeds, vars, mover, outcome=LIVE):
        self.seeds, self.vars, self.mover, self.outcome = seeds, vars, mover, outcome

    def copy(self):
        s = copy.copy(self)
        s.seeds, s.vars = copy.copy(self.seeds), copy.copy(self.vars)
        return s

    def begin(self, locals, next):
        self.locals, self.next, self.rank = [0] * locals, next, 0
        self.last = self.was = self.origin = None
        return self

    def key(self): return (self.outcome, self.mover, *self.vars, *self.seeds)
    def configuration(self): return (*self.seeds, *self.vars, *self.locals, self.last, self.was, self.origin)
    def no_move(self, system): return not any(True for _ in system.passing(self, fallbacks=False))

    def loops(self, condition, body): return False

    def transfer(self, n, source, into):
        self.seeds[source] -= n
        self.seeds[into] += n

    def sow(self, n, source, first, lap, always, only, drop):
        if isinstance(n, Unknown): raise CannotSay("a sowing of a number of seeds that is left out")
        self.seeds[source] -= n
        for hand in range(n - 1, -1, -1):
            pit = lap.takes(first, always, only if hand else ())
            self.last, self.was = pit, self.seeds[pit]
            self.seeds[pit] += 1
            first = lap.next[pit]
            try: drop(self)
            except Over: self.seeds[source] += hand; raise


class Lap:
    def __init__(self, pits, ring, count):
        self.pits, self.next, self.prev = pits, [NONE] * (count + 1), [NONE] * (count + 1)
        for a, b in zip(pits, pits[1:] + pits[:ring]): self.next[a], self.prev[b] = b, a

    def takes(self, pit, skipped, only):
        """The first pit from this one on that takes a seed."""
        for _ in range(len(self.pits) + 1):
            if pit == NONE: break
            if pit not in skipped and pit not in only: return pit
            pit = self.next[pit]
        raise Illegal


class Action:
    def __init__(self, player, fallback, written, locals, guard, body):
        self.player, self.fallback, self.written = player, fallback, written
        self.locals, self.guard, self.body = locals, guard, body

    def notation(self, s): return " ".join(part(s) for part in self.written)


class System(Statements):
    def __init__(self, text):
        self.params, self.players, self.pits, self.index, self.laps = {}, [], [], [], {}
        self.relations, self.enums = {}, []
        self.vars, self.types, self.domains, self.initial, self.ghosts, self.effects = [], [], [], [], set(), 0
        self.scope = {}  # the words for the value of each parameter, and whether it is open
        self.ends = []  # how games end: the outcome; for an ending without a body its mover and condition
        self.actions, self.outcomes, self.reactions, self.repetition, self.scores = [], [], [], None, {}
        self.read(text)
        self.repeating = "while" in self.tokens  # whether a body has a loop
        self.outcome_names = [ast.literal_eval(b) for a, b, c in zip(self.tokens, self.tokens[1:], self.tokens[2:])
                              if (a, c) == ("outcome", "label")]  # since bodies name them before they are declared
        self.need("kernel", "2", "variant"); self.variant = self.string()
        self.many(self.param, "param")
        self.many(lambda _: self.players.append(self.string()), "player")
        self.many(self.pit, "pit")
        self.many(self.lap, "ring", "line")
        self.many(self.relation, "relation")
        self.many(self.enum, "enum")
        self.many(self.variable, "state", "ghost")
        self.setup()
        self.many(self.action, "move", "fallback")
        self.many(self.outcome, "outcome")
        self.many(self.reaction, "reaction")
        self.many(self.repeats, "repetition")
        self.many(self.score, "score")
        self.need("")

    def param(self, _):
        name, open = self.name(), not self.take("=")
        self.i, start = self.i + open, self.i + open
        value = self.constant()
        if open and self.take(".."):
            value = unknown(value, self.number() if re.fullmatch(r"-?\d+", self.tokens[self.i]) else inf)
        self.params[name], self.scope[name] = value, ("".join(self.tokens[start:self.i]), open)

    def pit(self, _):
        self.pits.append(self.name()); self.need("index"); self.index.append(self.number())
        self.need("owner"); self.take("none") or self.player()

    def lap(self, kind):
        name = self.lap_name(); self.need("=")
        self.laps[name] = Lap(self.list(self.place), kind == "ring", len(self.pits))

    def relation(self, _): name = self.name(); self.need("="); self.relations[name] = self.list(self.place) + [NONE]
    def enum(self, _): self.name(); self.need("{"); self.enums.append(self.list(self.name, "}"))

    def variable(self, kind):
        name = self.name(); self.need(":"); self.types.append(self.token()); self.need("{")
        self.domains.append(tuple(sorted(x for values in self.list(self.values, "}") for x in values)))
        self.need("="); self.initial.append(self.constant())
        if kind == "ghost": self.ghosts.add(len(self.vars))
        self.vars.append(name)

    def values(self): lo = self.constant(); return range(lo, (self.constant() if self.take("..") else lo) + 1)

    def setup(self):
        self.need("setup"); self.string(); self.need("mover"); self.first = self.player()
        self.need("free"); self.free = self.set(); start = self.i + 1
        self.conditions = self.conjuncts() if self.take("when") else []
        if self.at("or"): self.i = start; self.conditions = [self.expr()]

    def action(self, kind):
        label = always(self.string()); self.need("of"); player = self.player()
        written = self.list(self.written) if self.take("written") else [label]
        self.need("{"); locals = self.locals()
        guard = self.expr() if self.take("when") else always(1)
        self.actions.append(Action(player, kind == "fallback", written, locals, guard, self.body()))

    def written(self):
        if self.take("number"): x = self.expr(); return lambda s: str(x(s))
        if self.take("pit"): x = self.expr(); return lambda s: self.pits[x(s)]
        return always(self.string())

    def locals(self): return len(self.list(self.token)) if self.take("locals") else 0

    def outcome(self, _):
        self.string(); self.need("label"); self.string(); kind = self.token()
        self.outcomes.append((kind, self.player() if kind == "win" else NONE))

    def reaction(self, _):
        at_end, by, before = self.take("at", "turn", "end"), {}, self.effects
        self.need("{")
        while self.take("for"):
            player = self.player(); self.need("{"); locals = self.locals(); self.need("when")
            condition, bare = self.expr(), self.at("finish") and self.tokens[self.i + 2] == "}"
            by[player] = condition, locals, self.body()
            if bare: self.ends[-1] = self.ends[-1][0], player, condition
        self.need("}"); self.reactions.append((at_end, by, self.effects > before))

    def repeats(self, _):
        offered, by = self.take("offered"), {}
        self.need("{")
        while self.take("for"): player = self.player(); self.need("finish"); by[player] = self.finish()
        self.need("}"); self.repetition = offered, by

    def score(self, _): player = self.player(); self.need("="); self.scores[player] = self.expr()

    # Play.

    def attempt(self, state, action):
        """The state after the body of an action."""
        s = state.copy().begin(action.locals, (action.player + 1) % len(self.players))
        if not action.guard(s): raise Illegal
        try: action.body(s)
        except Over: pass
        return s

    def passing(self, state, fallbacks=True, strict=False):
        """The actions that pass, with the state after their bodies. A fault is none if it is not strict."""
        for action in self.actions:
            if state.outcome != LIVE or action.player != state.mover or action.fallback > fallbacks: continue
            try: yield action, self.attempt(state, action)
            except Illegal: pass
            except Fault:
                if strict: raise

    def steps(self, state, strict=True):
        """The steps from a state: the action, and the state that it leads to."""
        tried, steps = list(self.passing(state, strict=strict)), []
        top = max([s.rank for _, s in tried], default=0)
        for action, s in tried:
            if s.rank != top: continue
            try: steps.append((action, self.conclude(action, s)))
            except Fault:
                if strict: raise
        return steps

    def conclude(self, action, s):
        if s.outcome != LIVE: return s
        s.mover = s.next
        return self.settle(s, s.mover != action.player or len(self.players) == 1)

    def settle(self, s, turn_end):
        for at_end, by, _ in self.reactions:
            condition, locals, body = by[s.mover]
            if at_end and not turn_end or not condition(s.begin(0, s.mover)): continue
            try: body(s.begin(locals, s.mover))
            except Over: return s
            except Illegal: raise Fault("a reaction is illegal")
            s.mover = s.next
        return s

    def stuck(self, s): return s.outcome == LIVE and not any(True for _ in self.passing(s))

    # Starts.

    def lays_out(self, seeds):
        """Whether the setup may lay out these seeds."""
        s = State(seeds, self.initial, self.first)
        return all(p in self.free or seeds[p] == 0 for p in range(len(seeds))) and all(x(s) for x in self.conditions)

    def start(self, seeds):
        return self.settle(State(list(seeds), list(self.initial), self.first).begin(0, self.first), False)

    def starts(self):
        """All starts, if parameters have values."""
        seeds = [unknown() if p in self.free else 0 for p in range(len(self.pits))]
        for board in boards(seeds, sorted(self.free), lambda: self.may_lay_out(seeds)): yield self.start(board)

    def may_lay_out(self, seeds):
        s = State(seeds, self.initial, self.first)
        return all(possible(lambda: x(s)) for x in self.conditions)

    def is_start(self, s):
        s = s.copy()
        for v in self.ghosts: s.vars[v] = self.initial[v]
        if any(changes for _, _, changes in self.reactions): return s.key() in {t.key() for t in self.starts()}
        return self.lays_out(s.seeds) and self.start(s.seeds).key() == s.key()


def possible(condition):
    """Whether a condition on what is unknown holds in some way. A fault is taken for one."""
    try: return any(ways(condition))
    except Fault: return True


def boards(seeds, pits, may_be):
    """Fills in the pits of a board in all ways for which may_be holds. What is not filled in yet is unknown."""
    if not may_be(): return
    if not pits: yield list(seeds); return
    for n in range(10**4):
        seeds[pits[0]] = unknown(n)  # n seeds or more
        if not may_be(): break
        seeds[pits[0]] = n
        yield from boards(seeds, pits[1:], may_be)
    else: raise CannotSay("nothing bounds the seeds in a pit")
    seeds[pits[0]] = unknown()
