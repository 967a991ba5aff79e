"""Reads the canonical text of a System and plays it, as docs/kernel.ebnf and docs/kernel.md say.

Expressions and statements become functions of a State. Their values are integers, or Unknown.
"""
import ast, copy, operator, re
from math import inf
from unknown import CannotSay, Unknown, choose, parts, unknown, ways

NONE = LIVE = -1
LIMIT = 2**62 - 1
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|e\d+\.(?:`[^`]*`|\w+)|`[^`]*`|\$\d+|-?\d+|\w+|\.\.|/=|<=|>=|[=<>+*(){},:-]')
COMPARE = {"=": operator.eq, "/=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class NoText(Exception): "This is no text of the grammar."
class Fault(Exception): "A mistake in the rules."
class Illegal(Exception): "The action cannot be carried out."
class Over(Exception): "A statement has finished the game."


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


def limited(op):
    def compute(a, b):
        x = op(a, b)
        if not isinstance(x, Unknown) and not -LIMIT <= x <= LIMIT: raise CannotSay("a number is out of range")
        return x
    return compute


def divided(op):
    def compute(a, b):
        if b == 0: raise Fault("a division by 0")
        return op(a, b)
    return compute


SUM = {"+": limited(operator.add), "-": limited(operator.sub)}
PRODUCT = {"*": limited(operator.mul), "div": divided(operator.floordiv), "mod": divided(operator.mod)}


def a_pit(x):
    if x == NONE: raise Fault("no pit")
    return operator.index(x)


def register(name):
    def read(s):
        x = getattr(s, name)
        if x is None: raise Fault(f"{name} has no value")
        return x
    return read


class Text:
    """Tokens, taken one after another."""
    def read(self, text):
        self.tokens, self.i = TOKEN.findall(text) + [""], 0
        if "".join(text.split()) != "".join("".join(self.tokens).split()): raise NoText("a character that is in no token")

    def at(self, *words): return self.tokens[self.i:self.i + len(words)] == list(words)
    def token(self): self.i += 1; return self.tokens[self.i - 1]
    def string(self): return ast.literal_eval(self.token())
    def number(self): return int(self.token())
    def name(self): return self.token().strip("`")

    def take(self, *words):
        found = self.at(*words)
        self.i += len(words) if found else 0
        return found

    def need(self, *words):
        for word in words:
            if not self.take(word): raise NoText(f"{word} is missing before {' '.join(self.tokens[self.i:self.i + 5])}")

    def list(self, item, end=None):
        """Items with commas between them, and up to the word end, if there is one."""
        items = []
        while end is None or not self.at(end):
            items.append(item())
            if not self.take(","): break
        if end is not None: self.need(end)
        return items

    def many(self, item, *words):
        """Lets item read what stands behind each of the words, as long as one of them comes next."""
        while self.tokens[self.i] in words: item(self.token())


class Expressions(Text):
    """Reads expressions. What their names mean is declared by System."""
    def place(self): return NONE if self.take("none") else self.pits.index(self.name())
    def set(self): self.need("{"); return frozenset(self.list(self.place, "}"))
    def player(self): return self.players.index(self.string())
    def finish(self): return self.outcome_names.index(self.string())
    def constant(self): return self.primary()(None)
    def lap_name(self): return self.name(), self.string() if self.take("of") else None

    def expr(self):
        x = every(self.conjuncts())
        while self.take("or"): x = either(x, every(self.conjuncts()))
        return x

    def conjuncts(self):
        parts = [self.negation()]
        while self.take("and"): parts.append(self.negation())
        return parts

    def negation(self):
        if not self.take("not"): return self.comparison()
        x = self.negation()
        return lambda s: not x(s)

    def comparison(self):
        x = self.sum()
        if self.tokens[self.i] in COMPARE: return apply(COMPARE[self.token()], x, self.sum())
        if not self.take("in"): return x
        pits = self.set()
        return lambda s: x(s) in pits

    def sum(self): return self.chain(self.product, SUM)
    def product(self): return self.chain(self.unary, PRODUCT)

    def chain(self, part, operators):
        x = part()
        while self.tokens[self.i] in operators: x = apply(operators[self.token()], x, part())
        return x

    def unary(self):
        if not self.take("old"): return self.primary()
        x = self.unary()
        return lambda s: x(s.before)

    def primary(self):
        word = self.token()
        if re.fullmatch(r"-?\d+", word): return always(int(word))
        if word in ("none", "false", "true"): return always({"none": NONE, "false": 0, "true": 1}[word])
        if word.startswith('"'): return always(self.players.index(ast.literal_eval(word)))
        if value := re.fullmatch(r"e(\d+)\.`?([^`]*)`?", word): return always(self.enums[int(value[1])].index(value[2]))
        if word == "outcome":
            if self.tokens[self.i].startswith('"'): return always(self.finish())
            return lambda s: s.outcome
        if word.startswith("$"): local = int(word[1:]); return lambda s: s.locals[local]
        if word == "last": return register("was" if self.take("was") else "last")
        if word == "origin": return register("origin")
        if word == "mover": return lambda s: s.mover
        if word == "no": self.need("move"); return lambda s: s.no_move(self)
        if word == "stuck": return self.stuck
        if word == "start": return self.is_start
        if word == "(" and self.take("if"):
            c = self.expr(); self.need("then"); x = self.expr(); self.need("else"); y = self.expr(); self.need(")")
            return lambda s: x(s) if c(s) else y(s)
        if word == "(": return self.closed(self.expr())
        if word == "pick": cell = self.pick(); return lambda s: s.vars[cell(s)]
        if self.take("("): return self.call(word)
        name = word.strip("`")
        if name in self.vars: v = self.vars.index(name); return lambda s: s.vars[v]
        if name in self.params: return lambda s: self.params[name]
        if name in self.pits: return always(self.pits.index(name))
        raise NoText(f"{word} is not declared")

    def closed(self, x): self.need(")"); return x

    def call(self, word):
        if word == "total": pits = sorted(self.closed(self.set())); return lambda s: sum([s.seeds[p] for p in pits])
        x = self.expr()
        if word in ("min", "max"): self.need(","); return apply(min if word == "min" else max, x, self.closed(self.expr()))
        if word in ("next", "before"):
            self.need("along"); lap = self.laps[self.closed(self.lap_name())]
            to = lap.next if word == "next" else lap.prev
        elif word == "seeds": return self.closed(lambda s: s.seeds[a_pit(x(s))])
        elif word == "index": return self.closed(lambda s: self.index[a_pit(x(s))])
        else: to = self.closed(self.relations[word.strip("`")])
        return lambda s: to[x(s)]  # the last one is that of none

    def pick(self):
        """The number of a variable, by an index: pick(i, k: v, ...)."""
        self.need("("); x, table = self.expr(), {}
        while self.take(","): key = self.constant(); self.need(":"); table[key] = self.vars.index(self.name())
        self.need(")")
        def cell(s):
            i = operator.index(x(s))
            if i not in table: raise Fault("no such variable")
            return table[i]
        return cell


class Action:
    def __init__(self, player, fallback, written, locals, guard, body):
        self.player, self.fallback, self.written = player, fallback, written
        self.locals, self.guard, self.body = locals, guard, body

    def notation(self, s): return " ".join(part(s) for part in self.written)


class Statements(Expressions):
    def block(self): self.need("{"); return self.body()

    def body(self):
        list = []
        while not self.take("}"): list.append(self.statement())
        def run(s):
            for statement in list: statement(s)
        return run

    def statement(self):
        if self.take("sow"): return self.sow()
        if self.take("move"): return self.move()
        if self.take("if"):
            condition, then = self.expr(), self.block()
            otherwise = self.block() if self.take("else") else nothing
            return lambda s: then(s) if condition(s) else otherwise(s)
        if self.take("while"): return self.loop(self.expr(), self.block())
        if self.take("illegal"): return illegal
        if self.take("finish"): outcome = self.finish(); self.ends.append((outcome, None, None)); return lambda s: over(s, outcome)
        return self.assignment()

    def sow(self):
        count = None if self.take("all") else self.expr()
        self.need("from"); source = self.expr(); self.need("along"); lap = self.laps[self.lap_name()]
        origin_first = self.take("origin", "first")
        start = self.expr() if self.take("starting", "at") else None
        skip = self.set() if self.at("skip", "{") and self.take("skip") else frozenset()
        only = self.set() if self.take("only", "last") else frozenset()
        maybe = []
        while self.take("skip"): p = self.place(); self.need("if"); maybe.append((p, self.expr()))
        drop = self.block() if self.at("{") else nothing
        self.effects += 1
        def run(s):
            p = s.origin = a_pit(source(s))
            n = s.seeds[p] if count is None else count(s)
            first = a_pit(start(s)) if start else p if origin_first else lap.next[p]
            skipped = skip.union([q for q, x in maybe if x(s)]) if maybe else skip
            if n < 1 or n > s.seeds[p]: raise Illegal
            s.sow(n, p, first, lap, skipped, only, drop)
        return run

    def move(self):
        count = None if self.take("all") else self.expr()
        self.need("from"); source = self.expr(); self.need("into"); into = self.expr()
        self.effects += 1
        def move_all(s):
            q, p = a_pit(into(s)), source(s)
            if p != NONE and p != q: s.transfer(s.seeds[p], p, q)
        def move(s):
            n, p, q = count(s), a_pit(source(s)), a_pit(into(s))
            if not 0 <= n <= s.seeds[p]: raise Fault("a transfer of more seeds than there are, or fewer than none")
            s.transfer(n, p, q)
        return move if count else move_all

    def loop(self, condition, body):
        self.ends.append((len(self.outcome_names) - 1, None, None))
        def run(s):
            if s.loops(condition, body): return
            seen, shape = set(), None
            while condition(s):
                numbers, symbols = zip(*[parts(x) for x in s.configuration()])
                if shape not in (None, symbols): raise CannotSay("whether a loop ends depends on what is left out")
                if numbers in seen: over(s, len(self.outcome_names) - 1)
                seen.add(numbers); shape = symbols
                if len(seen) > 2**20: raise CannotSay("a loop has too many rounds")
                body(s)
        return run

    def assignment(self):
        self.effects += 1
        if self.take("next", "mover"): cell = "next"
        elif self.take("rank"): cell = "rank"
        elif self.tokens[self.i].startswith("$"): cell = int(self.token()[1:])
        elif self.take("pick"): cell = self.pick()
        else: cell = always(self.vars.index(self.name()))
        self.need("="); x = self.expr()
        def local(s): s.locals[cell] = x(s)
        def variable(s): v = cell(s); s.vars[v] = within(self.domains[v], x(s))
        if isinstance(cell, str): return lambda s: setattr(s, cell, x(s))
        return local if isinstance(cell, int) else variable


def always(x): return lambda s: x
def apply(op, x, y): return lambda s: op(x(s), y(s))
def either(x, y): return lambda s: bool(x(s) or y(s))
def every(parts): return parts[0] if len(parts) == 1 else lambda s: all(x(s) for x in parts)
def illegal(s): raise Illegal
def nothing(s): pass


def over(s, outcome):
    s.outcome, s.mover = outcome, NONE
    raise Over


def within(domain, x):
    """The value x of a variable; if it is unknown, any of the values that it may be."""
    if isinstance(x, Unknown):
        lo, hi = x.bounds()
        x = choose([n for n in domain if lo <= n <= hi] + [None] * (lo < domain[0] or hi > domain[-1]))
    if x not in domain: raise Fault("a value outside of a variable's domain")
    return x


class System(Statements):
    def __init__(self, text):
        self.params, self.players, self.pits, self.index, self.laps, self.relations, self.enums = {}, [], [], [], {}, {}, []
        self.vars, self.types, self.domains, self.initial, self.ghosts, self.effects = [], [], [], [], set(), 0
        self.scope = {}  # the words for the value of each parameter, and whether it is open
        self.ends = []  # how games end: the outcome; and by an ending without a body for which mover, if which condition
        self.actions, self.outcomes, self.reactions, self.repetition, self.scores = [], [], [], None, {}
        self.read(text)
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
        if open and self.take(".."): value = unknown(value, self.number() if re.fullmatch(r"-?\d+", self.tokens[self.i]) else inf)
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
        self.string(); self.need("of"); player = self.player()
        written = self.list(self.written) if self.take("written") else []
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
        return all(seeds[p] == 0 for p in range(len(seeds)) if p not in self.free) and all(x(s) for x in self.conditions)

    def start(self, seeds): return self.settle(State(list(seeds), list(self.initial), self.first).begin(0, self.first), False)

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
    if not pits: yield list(seeds); return
    p, n = pits[0], 0
    while True:
        seeds[p] = unknown(n)
        if not may_be(): break
        if n > 10**4: raise CannotSay("nothing bounds the seeds in a pit")
        seeds[p] = n
        if may_be(): yield from boards(seeds, pits[1:], may_be)
        n += 1
    seeds[p] = unknown()
