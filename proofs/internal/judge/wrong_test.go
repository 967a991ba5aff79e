package judge

import (
	"os"
	"path/filepath"
	"testing"
)

// wrong has the truth about rules files on which an engine once erred, derived by hand. A ! stands
// behind what is true of nothing. Instances that are not named here are beyond the judge.
var wrong = map[string]map[string]string{
	// Any move sets done, which W asks for.
	"k1": {"c1": "false", "c2": "true", "c3": "true", "c4": "true"},
	// Two moves lead from the one start into W, whatever is chosen; so does any state in which
	// nothing is done.
	"k2": {"p1": "false", "p2": "false", "p3": "false", "p4": "true", "p7": "true", "p8": "false"},
	"k3": {"c": "false"}, // there are two seeds
	"k4": {"c": "false"}, // done is enough
	// x is 3,000,000,000 at the start and one more from the first move on. The four states: the
	// start; a1 sown from 1 1 gives 0 2, and a2 gives 2 0; from 0 2 follows 1 1 with the new x. E
	// is never reached: there are always two seeds.
	"a": {
		"c1": "false", "c2": "false", "c3": "true", "c4": "false", "c5": "true", "c6": "true", "c7": "false",
	},
	// There are always two seeds, and the products of the constants are positive.
	"b2":  {"q1": "false", "q2": "false", "q3": "false", "q4": "false"},
	"ovf": {"q": "false"},
	// All of a1 is put into a2 at once, and then there is no move.
	"n1": {"c1": "true", "c2": "false", "c3": "true", "c4": "true", "c5": "true", "c6": "true"},
	// GOOD empties the row; BAD sets h beyond its range and is no step.
	"f2": {"cA": "false", "cA2": "true", "cB": "false", "cC": "false"},
	// n = 3 has the start 3 0 | 0, at which X holds before W is looked at; and 0 3 | 0, which
	// divides by zero. At n = 2 both seeds may come to z, for which nothing is left in a: total(a)
	// = n - 2.
	"g2": {"u1": "false", "u1b[n=1]": "true", "u1b[n=2]": "true", "u1b[n=3]": "false", "u1b[n=4]": "true", "u4": "true", "u10": "false"},
	// n = 3 has starts with more than 10 seeds.
	"g3":   {"u1": "false"},
	"intr": {"c": "false"},
	// The rows have one start, 1 1: from 1 1 three moves empty them, and no fewer do.
	"neg": {
		"r[n=1]": "invalid", "r[n=2]": "false", "r[n=3]": "false", "r[n=4]": "false",
		"t[n=1]": "invalid", "t[n=2]": "false", "t[n=3]": "false",
	},
	// A: from 2 0 | 0 come 0 1 | 1 and 0 0 | 2, so each k up to 2 is met, and W with z = n; seeds
	// are neither made nor lost, so z > n is not. Four seeds do not all come to z: a1 can be sown
	// with one or two, a2 with one, so 2 2 leads to 0 3 | 1 at most. B has no start for any n below
	// 5.
	"h1": {
		"x1": "false", "x2": "false", "x3": "invalid", "x4": "false", "x5": "invalid", "x6": "false", "x7": "true", "x8": "false", "x9": "true",
		"y1": "true!", "y2": "false!", "y3": "true!", "y4": "false!",
	},
	// G's loop comes back to where it was, and H ends.
	"eq": {"q": "false", "q2": "false", "q3": "true"},
	// Who begins is one thing, and who is declared first another. In the first only Q, who begins,
	// can win, and in its copy only P.
	"equivalent_setup_mover":   {"g": "true", "g2": "true", "h": "true", "h2": "true", "eq": "false", "refines_it": "false"},
	"player_order_setup_mover": {"lastk": "true"},
	"rot2":                     {"starts_q": "true", "x_p": "true", "x_q": "false", "v_p": "true", "v_q": "false", "w": "true", "f": "true"},
	"value_over_setup_mover":   {"v": "true", "vq": "false", "vp": "true", "px": "true", "py": "true", "pyn": "false"},
	"going_other":              {"c": "false", "g": "false", "g2": "false", "bc": "false"},
	// The lap of a relay is the first one's. A sowing along a lap that the mover lacks is illegal.
	// The others are worked out in the file.
	"relay_lap": {"once": "true", "each_lap": "false"},
	"no_own_lap": {
		"name": "true", "mine": "true", "place": "true", "var": "true", "given": "true", "made": "true", "made2": "true",
		"theirs0": "true", "next_is_none": "true", "only": "true", "only_next": "true",
		"next_is_pit": "false",
	},
	"operands": {
		"chain_lap": "true", "chain_into": "true", "chain_name": "true", "relay_lap": "true", "relay_way": "true",
		"relay_skip": "true", "relay_first": "true", "relay_from": "true", "counted": "true", "for_set": "true", "for_list": "true",
		"argument": "true", "local_set": "true", "local_lap": "true", "captured": "true", "unread": "true", "stored": "true",
		"stored_once": "true", "moves_next": "true", "going": "true", "read_each": "true",
	},
}

// TestWrong: what was once said wrongly.
func TestWrong(t *testing.T) {
	for name, truths := range wrong {
		path := filepath.Join("..", "..", "testdata", "wrong", name+".sow")
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := decideAll(t, loadFile(t, path), Limits{Steps: 3_000_000})
		for claim, want := range truths {
			i := got[claim]
			have := i.Truth.String()
			if i.Vacuous {
				have += "!"
			}
			if have != want {
				t.Errorf("%s, claim %s: %s (%s), want %s", name, claim, have, i.Why, want)
			}
		}
	}
}
