"""States in certificates, of which only some parts may be kept."""
import base64
from kernel import State
from text import LIVE, NONE
from unknown import choose, unknown, ways


class Rejected(Exception): "The certificate does not show its verdict."


def need(holds, why):
    if not holds: raise Rejected(why)


class Variables(list):
    """Values of variables. One that is None has any value of its domain, and gets one when it is read."""
    def __init__(self, values, domains):
        super().__init__(values)
        self.domains = domains
        self.first = {}  # what the unknown ones were when they were read or set first

    def __getitem__(self, v):
        if super().__getitem__(v) is None:
            self.first[v] = choose(self.domains[v])
            super().__setitem__(v, self.first[v])
        return super().__getitem__(v)

    def __setitem__(self, v, x): self[v]; super().__setitem__(v, x)

    def __copy__(self):
        other = Variables(self, self.domains)
        other.first = dict(self.first)
        return other


class Kept:
    """The parts of states that are kept. The key of a state has its outcome, mover, kept variables, kept seeds."""
    def __init__(self, system, kept=None):
        self.system = system
        kept = kept or {"pits": system.pits, "vars": system.vars, "varsWhenOver": system.vars}
        self.pits = self.numbers(kept["pits"], system.pits)
        self.vars = self.numbers(kept["vars"], system.vars)
        self.over = self.numbers(kept["varsWhenOver"], system.vars)
        need(set(self.over) <= set(self.vars), "a variable is kept when the game is over only")

    def numbers(self, names, all):
        numbers = [all.index(name) for name in names]
        need(numbers == sorted(set(numbers)), "what is kept is not in the order of declaration")
        return numbers

    def vars_of(self, outcome): return self.vars if outcome == LIVE else self.over

    def key(self, s):
        vars = list(s.vars)
        return (s.outcome, s.mover, *[vars[v] for v in self.vars_of(s.outcome)], *[s.seeds[p] for p in self.pits])

    def state(self, key, kind=State):
        """A state of that key, in which all else is unknown."""
        seeds, vars = [None] * len(self.system.pits), [None] * len(self.system.vars)
        for p, n in zip(self.pits, key[len(key) - len(self.pits):]): seeds[p] = n
        for v, x in zip(self.vars_of(key[0]), key[2:]): vars[v] = x
        if None in vars: vars = Variables(vars, self.system.domains)
        return kind([unknown() if n is None else n for n in seeds], vars, key[1], key[0])

    def valid(self, key):
        need(-1 <= key[0] < len(self.system.outcomes), "there is no such outcome")
        need(0 <= key[1] < len(self.system.players) if key[0] == LIVE else key[1] == NONE, "there is no such mover")
        for v, x in zip(self.vars_of(key[0]), key[2:]):
            need(x in self.system.domains[v], "a variable has no such value")
        need(all(n >= 0 for n in key[len(key) - len(self.pits):]), "fewer seeds than none")
        return key

def unpack_numbers(text):
    numbers, x, shift, data = [], 0, 0, base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, "the base64 is not as it would be written")
    for byte in data:
        need(byte or not shift, "a number has more bytes than it needs")
        x, shift = x | (byte & 127) << shift, shift + 7
        if byte < 128: numbers.append(x >> 1 ^ -(x & 1)); x = shift = 0
    need(shift == 0, "the last number is cut off")
    return numbers


def unpack(text, count, kept, behind=0):
    """States as they are packed, by their keys; with a number behind each, or 0."""
    numbers, states, i = unpack_numbers(text), {}, 0
    while i < len(numbers):
        end = i + 2 + len(kept.vars_of(numbers[i])) + len(kept.pits)
        need(end + behind <= len(numbers), "the last state is cut off")
        states[kept.valid(tuple(numbers[i:end]))] = numbers[end] if behind else 0
        i = end + behind
    need(list(states) == sorted(states) and len(states) == count, "states in another order or number")
    return states


def listed(states, kept):
    """States as they are written in JSON."""
    keys = [kept.valid(written(s, kept)) for s in states]
    return keys


def written(s, kept):
    system = kept.system
    outcome = system.outcome_names.index(s["outcome"]) if "outcome" in s else LIVE
    mover = NONE if outcome != LIVE else 0 if len(system.players) == 1 else system.players.index(s["mover"])
    need("mover" not in s or outcome == LIVE and len(system.players) > 1, "a mover where there is none")
    vars, names = kept.vars_of(outcome), s.get("vars", [])
    need(len(vars) == len(names) and len(s["seeds"]) == len(kept.pits), "a state of other parts")
    return (outcome, mover, *[value(system, v, name) for v, name in zip(vars, names)], *s["seeds"])


def value(system, v, name):
    """The value of a variable by its name."""
    fixed = {"none": NONE, "false": 0, "true": 1}
    kind = system.types[v]
    if name in fixed and kind in ("pit", "player", "outcome", "truth"): return fixed[name]
    if kind == "number": return int(name)
    names = {"pit": system.pits, "player": system.players, "outcome": system.outcome_names}
    return (names[kind] if kind in names else system.enums[int(kind[1:])]).index(name)


def everywhere(run):
    """Carries run out in all ways."""
    for _ in ways(run): pass
