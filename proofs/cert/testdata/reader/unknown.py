"""Numbers of which only bounds are known.

An Unknown takes part in sums and comparisons as an integer does. Where a comparison may go both ways, the present
run takes one of them: ways repeats the run until each combination of answers was taken. The numbers that occur are
within the bounds, so what really happens is what happens in one of the runs.
"""
from math import inf


class CannotSay(Exception): "A limit of this reader, or of the kernel."
class Dead(Exception): "The present run is not possible."


class Choices:
    facts = []  # what is not negative, as the present run has chosen
    script, at = None, 0  # of the present run: for each choice which option is taken, and how many there are

    def choose(self, options):
        if self.script is None: raise CannotSay("something depends on a part of the state that is left out")
        if self.at == len(self.script): self.script.append([0, len(options)])
        self.at += 1
        return options[self.script[self.at - 1][0]]

    def bounds(self, x):
        """Bounds on x by those of its Symbols; if these leave its sign open, also by one of the facts."""
        lo, hi = bounds(x)
        if lo > 0 or hi < 0: return lo, hi
        for fact in self.facts: lo, hi = max(lo, bounds(x - fact)[0]), min(hi, bounds(x + fact)[1])
        return lo, hi

    def below(self, x, limit):
        """Whether x < limit."""
        lo, hi = self.bounds(x)
        if hi < limit or lo >= limit: return hi < limit
        below = self.choose((True, False))
        self.facts.append(limit - 1 - x if below else x - limit)
        return below

    def ways(self, run):
        """Yields the result of run for each combination of choices, but for those that raise Dead."""
        script, outer = [], (self.script, self.at, self.facts)
        while True:
            self.script, self.at, self.facts, result = script, 0, [], []
            try: result = [run()]
            except Dead: pass
            finally: self.script, self.at, self.facts = outer
            yield from result
            while script and script[-1][0] + 1 == script[-1][1]: script.pop()
            if not script: return
            script[-1][0] += 1


choices = Choices()
choose, ways = choices.choose, choices.ways


class Symbol:
    def __init__(self, lo, hi, whole=None): self.lo, self.hi, self.whole = lo, hi, whole


class Rest(Symbol):
    """What is left of a number when it is divided by another one."""
    def __init__(self, lo, hi, number, by): super().__init__(lo, hi); self.number, self.by = number, by


class Whole:
    """A total of which each of some Symbols is a part."""
    def __init__(self, lo, hi=inf): self.lo, self.hi, self.parts = lo, hi, 0

    def part(self):
        self.parts += 1
        return Unknown(0, {Symbol(0, self.hi, self): 1})

    def bounds(self, factors):
        """Bounds on the sum of parts with these factors: it is least or greatest if one part has all."""
        factors += [0] * (len(factors) < self.parts)
        ends = [factor * x if factor else 0 for factor in (min(factors), max(factors)) for x in (self.lo, self.hi)]
        return min(ends), max(ends)


class Unknown:
    """A number, and a sum of Symbols, each times a factor."""
    def __init__(self, base, terms): self.base, self.terms = base, terms

    def __add__(self, other): return total((self, 1), (other, 1))

    def __mul__(self, n):
        if isinstance(n, Unknown): return unknown(-inf, inf)
        return Unknown(self.base * n, {x: factor * n for x, factor in self.terms.items()}) if n else 0

    def __mod__(self, n):
        if isinstance(n, Unknown) or n <= 0: return unknown(-inf, inf)
        lo, hi = self.bounds()
        if lo == hi: return lo % n
        if not any(factor % n for factor in self.terms.values()): return self.base % n
        return Unknown(0, {Rest(0, n - 1, self, n): 1})

    def __floordiv__(self, n): return unknown(-inf, inf)
    def __rfloordiv__(self, n): return unknown(-inf, inf)
    def __rmod__(self, n): return unknown(-inf, inf)
    def __neg__(self): return self * -1
    def __sub__(self, other): return total((self, 1), (other, -1))
    def __rsub__(self, other): return total((other, 1), (self, -1))
    __radd__, __rmul__ = __add__, __mul__

    def bounds(self):
        lo = hi = self.base
        wholes = {}
        for x, factor in self.terms.items():
            if x.whole: wholes.setdefault(x.whole, []).append(factor)
            elif factor > 0: lo, hi = lo + factor * x.lo, hi + factor * x.hi
            else: lo, hi = lo + factor * x.hi, hi + factor * x.lo
        for whole, factors in wholes.items():
            least, greatest = whole.bounds(factors)
            lo, hi = lo + least, hi + greatest
        return lo, hi

    def __lt__(self, other): return choices.below(self - other, 0)
    def __le__(self, other): return choices.below(self - other, 1)
    def __gt__(self, other): return not self <= other
    def __ge__(self, other): return not self < other
    def __bool__(self): return self != 0

    def __eq__(self, other):
        x = self - other
        lo, hi = choices.bounds(x)
        if lo == hi == 0 or not lo <= 0 <= hi or not choose((False, True)): return lo == hi == 0
        choices.facts += [x, -x]
        return True

    def __index__(self):
        lo, hi = self.bounds()
        if hi - lo > 1000: raise CannotSay("a number that is left out may have too many values")
        return choose(range(lo, hi + 1))

    def __hash__(self): raise CannotSay("something depends on a part of the state that is left out")


def unknown(lo=0, hi=inf): return Unknown(0, {Symbol(lo, hi): 1})


def total(*numbers):
    """The sum of numbers, each times a factor."""
    base, terms = 0, {}
    for x, n in numbers:
        if not isinstance(x, Unknown): base += x * n; continue
        base += x.base * n
        for symbol, factor in x.terms.items(): terms[symbol] = terms.get(symbol, 0) + factor * n
    terms = {symbol: factor for symbol, factor in terms.items() if factor}
    return Unknown(base, terms) if terms else base


def bounds(x): return x.bounds() if isinstance(x, Unknown) else (x, x)


def parts(x):
    """The number in x, and its Symbols with their factors: what differs in the number only is not equal."""
    return (x.base, frozenset(x.terms.items())) if isinstance(x, Unknown) else (x, None)


def divides(k, x):
    """Whether k certainly divides x, by what the present run has found of rests."""
    rests = {rest for fact in choices.facts if fact.base == 0 for rest in fact.terms if isinstance(rest, Rest)}
    for rest in rests if isinstance(x, Unknown) else ():
        shared = [p for p in rest.number.terms if rest.by % k == 0 and isinstance(x, Unknown) and p in x.terms]
        if shared and rest.number.terms[shared[0]] == 1: x = x - rest.number * x.terms[shared[0]]
    number, terms = (x.base, x.terms) if isinstance(x, Unknown) else (x, {})
    return number % k == 0 and all(factor % k == 0 for factor in terms.values())


def replace(x, symbol, more):
    """X where a Symbol stands for a number that is greater by more."""
    return x + more * x.terms[symbol] if isinstance(x, Unknown) and symbol in x.terms else x
