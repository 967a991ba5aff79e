package build_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// frame is a variant around which the texts of TestSugar are put.
const frame = `
variant Frame {
  player South, North
  board {
    north_store | north[3..1] |
                | south[1..3] | south_store
    ring lap = south, south_store, north, north_store
    ring back = reverse lap
    group house = south, north
    group store = south_store, north_store
    owner South = south, south_store
    owner North = north, north_store
  }
  state whose : player = South
  state mark : house = none
  state k : 0..9 = 0
  state phase : {opening, main} = opening
  state closed each house : bool = false
  ITEMS
  SETUP
  move { choose from in my house where seeds(from) > 0
    sow from along lap, skip their store
    BODY
  }
  end when total(my house) = 0
  score South = south_store, North = north_store
}
`

// framed puts items and statements into the frame.
func framed(items, setup, body string) string {
	if setup == "" {
		setup = "setup { each house = 2 }"
	}
	return replace(frame, "ITEMS", items, "SETUP", setup, "BODY", body)
}

// TestSugar compares Systems: what is written in the short form means what is written in the long
// one.
func TestSugar(t *testing.T) {
	for name, c := range map[string]struct{ items, short, long string }{
		"define": {
			"define rich = seeds(last) > 2", "if rich { again }", "if seeds(last) > 2 { again }",
		},
		"define with arguments": {
			"define more(p : pit, n : number, w : phase) = seeds(p) > n and phase = w",
			"if more(next(last), last, main) { again }", "if seeds(next(last)) > seeds(last) and phase = main { again }",
		},
		"define of a set": {
			"define ends = house1s + {last}  define house1s = {south1, north1}", "let x = 1", "let x = 1",
		},
		"define of pronouns": {
			"define poor = total(my house) < total(their house)", "if poor { again }", "if total(my house) < total(their house) { again }",
		},
		"define of a definition": {
			"define ends = {south1, north1}  define all(s : set) = ends + s  define sum(P : player) = total({p in all(south) where p in house of P})",
			"k = sum(mover)", "k = total({p in {south1, north1} + south where p in my house})",
		},
		"procedure": {
			"procedure bring(s : set, p : pit) { capture s into p }  procedure home { bring(my house, my store) }",
			"home()", "capture my house into my store",
		},
		"procedure that sets its parameter": {
			"procedure step(p : pit, i : number) { p = next(p)  take i from p into last }",
			"step(last, 1)", "let p = last  p = next(p)  take 1 from p into last",
		},
		"procedure with values of play": {
			"procedure lay(p : pit, i : number, w : phase, b : bool, l : lap) { let q = next(p along l)  if b { phase = w }  take i from p into q }",
			"lay(last, last, main, last > 1, back)",
			"let p = last  let i = seeds(last)  let b = last > 1  let q = next(p along back)  if b { phase = main }  take i from p into q",
		},
		"procedure that ends the turn": {
			"procedure over(P : player) { require last > 0  if last = 2 { P moves next } else if last = 3 { draw even } }",
			"over(mover)", "require last > 0  if last = 2 { again } else if last = 3 { draw even }",
		},
		"procedure of a player": {
			"procedure sweep(P : player) { capture house of P into store of P }",
			"for P in player { sweep(P) }", "capture south into south_store  capture north into north_store",
		},
		"of the mover": {
			"", "if total(house of mover) = 0 { capture store of mover into mark }", "if total(my house) = 0 { capture my store into mark }",
		},
		"of a player": {
			"", "if last in house of North { take 1 from store of South into last }", "if last in north { take 1 from south_store into last }",
		},
		"a statement behind an expression": {
			"", "k = 1 if phase = main { again }", "k = 1\nif phase = main { again }",
		},
		"conditions in a chain": {
			"", "k = 1 if last = 2 else 2 if mark = none else 3", "k = (1 if last = 2 else (2 if mark = none else 3))",
		},
		"the condition of a quantifier": {
			"", "require some i in 1..2 : k = i if phase = main else k = 3",
			"require (k = 1 if phase = main else k = 3) or (k = 2 if phase = main else k = 3)",
		},
		"a pit beside a number": {
			"", "k = last if mark = none else 2  k = 2 if mark = none else my store",
			"k = (seeds(last) if mark = none else 2)  k = (2 if mark = none else seeds(my store))",
		},
		"known before play": {
			"", "k = 1 if 1 < 2 else 2  capture (south if false else north) into (south1 if true else last)  phase = main if true else opening",
			"k = 1  capture north into south1  phase = main",
		},
		"the first pit": {
			"define poor(P : player) = first p in house of P where p < 2", "mark = poor(South)  capture first p in {south2, last} where p > 1 into my store",
			`mark = (south1 if south1 < 2 else south2 if south2 < 2 else south3 if south3 < 2 else none)
			capture (south2 if south2 > 1 else last if not last in {south2} and last > 1 else none) into my store`,
		},
		"a first pit that is known": {
			"", "mark = first p in north where index(p) > 1  mark = first p in north where index(p) > 3", "mark = north2  mark = none",
		},
		"several seeds in each": {
			"", "sow south1 along back, 3 in each, skip origin, each drop { k = last }",
			`let rest = south1 - (south1 + 2) div 3
			sow south1 - rest from south1 along back, skip origin, each drop { take min(2, rest) from south1 into last  rest = rest - min(2, rest)  k = last }`,
		},
		"names of an enumeration": {
			"", "phase = main if k = 1 else opening", "phase = (main if k = 1 else opening)",
		},
		"for players": {
			"", "for P in player { capture house of P into store of P }", "capture south into south_store  capture north into north_store",
		},
		"for numbers": {
			"", "for i in 1..3 { take i from last into south[i] }", "take 1 from last into south1  take 2 from last into south2  take 3 from last into south3",
		},
		"for no numbers": {
			"", "for i in 3..2 { take i from last into last }", "",
		},
		"for values": {
			"", "for i in {3, 1} { take i from last into last }  for w in {main, opening} { phase = w }",
			"take 3 from last into last  take 1 from last into last  phase = main  phase = opening",
		},
		"quantified players": {
			"", "if (each P in player : total(house of P) > 0) and (some P in player : mover = P and last in house of P) and (number P in player : total(house of P) = 1) = k { again }",
			"if (total(south) > 0 and total(north) > 0) and (mover = South and last in south or mover = North and last in north) and (number p in {south1, south2} : p = south1 and total(south) = 1 or p = south2 and total(north) = 1) = k { again }",
		},
		"quantified numbers": {
			"", "if some i in 1..2 : seeds(south[i]) = i { again }", "if seeds(south1) = 1 or seeds(south2) = 2 { again }",
		},
		"no numbers": {
			"", "if (each i in 2..1 : seeds(south[i]) = i) and not (some i in 2..1 : seeds(south[i]) = i) { again }", "again",
		},
	} {
		t.Run(name, func(t *testing.T) {
			short := system(t, framed(c.items, "", c.short), build.Settings{})
			long := system(t, framed("", "", c.long), build.Settings{})
			if d := cmp.Diff(string(long.Canonical()), string(short.Canonical())); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestFirstValues compares first values that a declaration gives to each variable with those that a
// setup gives.
func TestFirstValues(t *testing.T) {
	short := framed(`state holder each h in house : player = North if h in north or index(h) = 3 else South
		state shut each h in south : bool = h = south2
		state head each P in player : house = none if P = South else north3
		state way each P in player : lap = lap if P = North else back`, "", "again")
	long := framed(`state holder each house : player = South
		state shut each south : bool
		state head each player : house
		state way each player : lap = lap`, `setup { each house = 2, holder(south3) = North, holder(north1) = North, holder(north2) = North, holder(north3) = North,
			shut(south2) = true, head(North) = north3, way(South) = back }`, "again")
	want, got := system(t, long, build.Settings{}).Canonical(), system(t, short, build.Settings{}).Canonical()
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Error(d)
	}
}

func replace(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

// TestRepeatedSwitch: a rule that a parameter turns off is no rule, and its outcome stays known.
func TestRepeatedSwitch(t *testing.T) {
	of := func(ending string, set bool) *rules.System {
		text := strings.Replace(framed("param on = true", "", "again"), "end when", ending+"  end when", 1)
		return system(t, text, build.Settings{"on": {N: num.Truth(set), Bool: true}})
	}
	plain, on, off := of("draw same when repeated", true), of("draw same when repeated and on", true), of("draw same when repeated and on", false)
	if d := cmp.Diff(string(plain.Canonical()), string(on.Canonical())); d != "" {
		t.Error(d)
	}
	if off.Repetition != nil || !slices.ContainsFunc(off.Outcomes, func(o rules.Outcome) bool { return o.Label == "same" }) {
		t.Errorf("the rule is %v, of the outcomes %v", off.Repetition, off.Outcomes)
	}
}
