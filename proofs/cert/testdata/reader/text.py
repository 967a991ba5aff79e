"""Reads the expressions and statements of the canonical text, as docs/kernel.ebnf and docs/kernel.md say.

They become functions of a State. Their values are integers, or Unknown.
"""
import ast, operator, re
from unknown import CannotSay, Unknown, choose, parts

NONE = LIVE = -1
LIMIT = 2**62 - 1
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|e\d+\.(?:`[^`]*`|\w+)|`[^`]*`|\$\d+|-?\d+|\w+|\.\.|/=|<=|>=|[=<>+*(){},:-]')
COMPARE = {"=": operator.eq, "/=": operator.ne,
           "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class NoText(Exception): "This is no text of the grammar."
class Fault(Exception): "A mistake in the rules."
class Illegal(Exception): "The action cannot be carried out."
class Over(Exception): "A statement has finished the game."


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


def old(x):
    def read(s):
        if s.before is None: raise Fault("there is no state before")
        return x(s.before)
    return read


class Text:
    """Tokens, taken one after another."""
    def read(self, text):
        self.tokens, self.i = TOKEN.findall(text) + [""], 0
        if "".join(text.split()) != "".join("".join(self.tokens).split()): raise NoText("a character in no token")

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
            if not self.take(word): raise NoText(f"{word} is missing before {self.tokens[self.i:self.i + 5]}")

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
        return old(self.unary())

    def primary(self):
        word = self.token()
        if re.fullmatch(r"-?\d+", word): return always(int(word))
        if word in ("none", "false", "true"): return always({"none": NONE, "false": 0, "true": 1}[word])
        if word.startswith('"'): return always(self.players.index(ast.literal_eval(word)))
        if m := re.fullmatch(r"e(\d+)\.`?([^`]*)`?", word): return always(self.enums[int(m[1])].index(m[2]))
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
        if word in ("min", "max"):
            self.need(","); y = self.closed(self.expr())
            return apply(min if word == "min" else max, x, y)
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
        if self.take("finish"):
            outcome = self.finish()
            self.ends.append((outcome, None, None))
            return lambda s: over(s, outcome)
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
