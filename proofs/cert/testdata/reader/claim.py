"""Reads what a claim asserts, by docs/claim.ebnf."""
import hashlib, re
from kernel import State, System
from text import COMPARE, NONE, Fault, NoText


class Claim:
    within, actions, player, endless, other, size, by_repetition = None, None, None, None, None, None, False

    def __init__(self, system, text, other):
        self.system, t = system, system
        t.read(text)
        if t.take("for", "every"): self.sizes(t)
        if t.take("given"): self.given(t)
        self.denied = t.take("not", "(")
        self.kind = self.read(t)
        if self.denied: t.need(")")
        t.need("")
        if (other is None) != (self.other is None): raise NoText("the other System is missing, or there is none")
        if other is not None:
            if hashlib.sha256(other.encode()).hexdigest() != self.other: raise NoText("the hash of `other` differs")
            self.other = System(other)
        if self.kind in ("refines", "equivalent", "reverses"):
            self.pairs = [(system.pits.index(p), self.other.pits.index(q)) for p, q in self.pairs]

    def sizes(self, t):
        """Reads of which sizes the claim is, with the digest of their rules."""
        name = t.name(); t.need(">="); self.size = name, t.number(); t.need("of")
        if not re.fullmatch("[0-9a-f]{64}", t.string()): raise NoText("the rules of all sizes have no digest")
        t.need(":")

    def given(self, t):
        """Declares laps and relations that the System does not have."""
        declared = []
        def declare(kind): declared.append(kind); t.relation(kind) if kind == "relation" else t.lap(kind)
        known = len(t.laps) + len(t.relations)
        t.many(declare, "ring", "line", "relation")
        if not declared or len(t.laps) + len(t.relations) != known + len(declared): raise NoText("`given` declares a known name")
        t.need(":")

    def read(self, t):
        """Reads a claim, and returns its kind in certificates."""
        if t.take("unreachable"): self.target = t.expr(); self.moves(t); return "unreachable"
        if t.take("reachable"): self.target = t.expr(); self.moves(t); return "reachable"
        if t.take("invariant"): x = t.expr(); self.target = lambda s: not x(s); self.moves(t); return "invariant"
        if t.take("never", "stuck"):
            endless = len(t.outcomes) - 1
            self.target = lambda s: s.outcome == endless or t.stuck(s)
            return "never stuck"
        if t.take("from"):
            self.origin = t.expr()
            if t.take("by"): self.actions = t.list(t.number)
            t.need("every", "step", "gives"); self.gives = t.expr()
            return "every step over all states" if t.take("over", "all", "states") else "every step"
        if t.take("terminates"): self.by_repetition = t.take("by", "repetition"); self.moves(t); return "terminates"
        if t.take("count", "("):
            self.set = "winning starts" if t.take("winning", "starts") else t.token()
            t.need("where"); self.where = t.expr(); t.need(")"); self.compare(t)
            return "count of " + self.set
        if t.take("winning", "starts", "=", "{"): self.listed = t.list(t.expr, "}"); return "winning starts"
        if t.take("strategy"): t.string(); t.need("wins", "by"); self.other = t.string(); return "strategy wins"
        for kind in ("refines", "equivalent", "reverses"):
            if t.take(kind):
                self.other = t.string(); self.agrees = t.take("in") and t.token() or "play"
                if self.agrees == "play" and t.take("and", "notation"): self.agrees = "notation"
                self.pairs = t.list(lambda: self.pair(t)) if t.take("comparing") else []
                return kind
        for kind in ("value", "winner", "best"):
            if t.take(kind, "("): self.place(t); t.need(")"); getattr(self, kind)(t); self.never(t); return kind
        self.player = t.player(); t.need("can", "force"); self.target = t.expr(); self.moves(t); t.need("from")
        self.place(t)
        return "can force"

    def moves(self, t): self.within = t.number() if t.take("within") else None
    def compare(self, t): self.op = COMPARE[t.token()]; self.number = t.number()
    def pair(self, t): p = t.name(); t.need("="); return p, t.name()

    def value(self, t): self.player = t.player() if t.take("for") else None; self.compare(t)
    def winner(self, t): self.op = COMPARE[t.token()]; self.player = NONE if t.take("none") else t.player()
    def best(self, t): t.need("=", "{"); self.best = {"".join(m.split()) for m in t.list(t.string, "}")}

    def never(self, t):
        if t.take("where", "endless", "play"):
            self.endless = "draw" if t.take("is", "a", "draw") else t.need("counts", "as", "scored") or "scored"

    def place(self, t):
        """The position that a claim is about: a function that lists it."""
        if t.take("start"): here = None
        else:
            t.need("("); here = State([0] * len(t.pits), list(t.initial), t.first)
            t.list(lambda: self.part(t, here), ")")
        after = t.list(t.string) if t.take("after") else []
        first = lambda: t.starts() if here is None else [t.settle(here.copy().begin(0, here.mover), False)]
        self.positions = lambda: self.play(after, first())

    def part(self, t, s):
        if t.take("mover", "="): s.mover = t.player(); return
        name = t.name(); t.need("="); value = t.constant()
        if name in t.vars: s.vars[t.vars.index(name)] = value
        else: s.seeds[t.pits.index(name)] = value

    def play(self, moves, states):
        states = list(states)
        for move in moves:
            states = [to for s in states for action, to in self.system.steps(s)
                      if action.notation(s).split() == move.split()]
        return states

    def never_holds(self, s):
        """Whether s is no target. A state in which the target has no value is one."""
        try: return not self.target(s)
        except Fault: return False

    def counts(self, action, s):
        """Whether a claim about steps is about this one."""
        return (self.actions is None or self.system.actions.index(action) in self.actions) and self.origin(s)

    def holds(self, s, to):
        to.before = s
        return self.gives(to)
