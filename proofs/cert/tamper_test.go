package cert_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// copyOf returns a copy that shares nothing with c.
func copyOf(t testing.TB, c *cert.Certificate) *cert.Certificate {
	t.Helper()
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		t.Fatal(err)
	}
	d, err := cert.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// mustReject checks c with something changed.
func mustReject(t *testing.T, c *cert.Certificate, what string, change func(*cert.Certificate)) {
	t.Helper()
	d := copyOf(t, c)
	change(d)
	if reflect.DeepEqual(c, d) {
		t.Fatalf("%s: nothing was changed", what)
	}
	var rejected *cert.Rejected
	var hard *cert.NeedsSolver
	if err := checkFile(t, d); !errors.As(err, &rejected) && !errors.As(err, &hard) {
		t.Errorf("%s: %v", what, err)
	}
}

// checkFile writes a certificate, and checks what is read.
func checkFile(t testing.TB, c *cert.Certificate) error {
	t.Helper()
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		t.Fatal(err)
	}
	d, err := cert.Read(&file)
	if err == nil {
		_, err = cert.Check(context.Background(), d)
	}
	return err
}

func TestEachStateIsNeeded(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 6, 7} {
		c := dose(t, n)
		for i := 0; i < len(backwardOf(c).States); i += tier.Every(19, 6) {
			mustReject(t, c, fmt.Sprintf("n = %d without state %d", n, i), func(d *cert.Certificate) {
				backwardOf(d).States = slices.Delete(backwardOf(d).States, i, i+1)
			})
			mustReject(t, c, fmt.Sprintf("n = %d with state %d twice", n, i), func(d *cert.Certificate) {
				backwardOf(d).States = slices.Insert(backwardOf(d).States, i, backwardOf(d).States[i])
			})
		}
	}
}

func TestEachNumberCounts(t *testing.T) {
	t.Parallel()
	c := dose(t, 6)
	values := append(slices.Clone(backwardOf(c).Kept.Pits), "none", "store01")
	for i, s := range backwardOf(c).States {
		if i%tier.Every(40, 9) > 0 {
			continue
		}
		for p := range s.Seeds {
			for _, by := range []int{-1, 1} {
				mustReject(t, c, fmt.Sprintf("state %d, pit %d by %d", i, p, by), func(d *cert.Certificate) {
					backwardOf(d).States[i].Seeds[p] += by
				})
			}
		}
		for v := range s.Vars {
			for _, value := range values {
				if value == s.Vars[v] {
					continue
				}
				mustReject(t, c, fmt.Sprintf("state %d, selected = %s", i, value), func(d *cert.Certificate) {
					backwardOf(d).States[i].Vars[v] = value
				})
			}
		}
		for _, outcome := range []string{"", "SR005", "SR006", "endless", "x"} {
			if outcome == s.Outcome {
				continue
			}
			mustReject(t, c, fmt.Sprintf("state %d finished with %q", i, outcome), func(d *cert.Certificate) {
				backwardOf(d).States[i].Outcome = outcome
			})
		}
		mustReject(t, c, "a mover", func(d *cert.Certificate) { backwardOf(d).States[i].Mover = "South" })
	}
}

func TestEveryFieldCounts(t *testing.T) {
	t.Parallel()
	c := dose(t, 7)
	pits := len(backwardOf(c).Kept.Pits)
	for what, change := range map[string]func(*cert.Certificate){
		"format":           func(d *cert.Certificate) { d.Format = "x" },
		"version":          func(d *cert.Certificate) { d.Version++ },
		"root":             func(d *cert.Certificate) { d.Root = "x" },
		"digest":           func(d *cert.Certificate) { d.SourcesDigest = strings.Repeat("0", 64) },
		"claim":            func(d *cert.Certificate) { d.Claim.Name = "wider_boards" },
		"unknown claim":    func(d *cert.Certificate) { d.Claim.Name = "x" },
		"false claim":      func(d *cert.Certificate) { d.Claim.Name = "narrow_refuted" },
		"label":            func(d *cert.Certificate) { d.Claim.Label = "x" },
		"kind":             func(d *cert.Certificate) { d.Claim.Kind = "invariant" },
		"predicate":        func(d *cert.Certificate) { d.Claim.Asserts += " " },
		"vacuous":          func(d *cert.Certificate) { d.Vacuous = true },
		"verdict":          func(d *cert.Certificate) { d.Verdict = cert.Refuted },
		"no settings":      func(d *cert.Certificate) { d.Settings = nil },
		"n":                func(d *cert.Certificate) { d.Settings["n"] = 6 },
		"n as truth value": func(d *cert.Certificate) { d.Settings["n"] = true },
		"n as text":        func(d *cert.Certificate) { d.Settings["n"] = "7" },
		"n with fraction":  func(d *cert.Certificate) { d.Settings["n"] = 7.5 },
		"stones":           func(d *cert.Certificate) { d.Settings["stones"] = 48 },
		"unknown setting":  func(d *cert.Certificate) { d.Settings["m"] = 1 },
		"open":             func(d *cert.Certificate) { d.Open = nil },
		"more open":        func(d *cert.Certificate) { d.Open = []string{"stones", "n"} },
		"some":             func(d *cert.Certificate) { d.Some = "stones" },
		"scope":            func(d *cert.Certificate) { d.Scope[0].Is = "6" },
		"scope of stones":  func(d *cert.Certificate) { d.Scope[1].Is = "1.." },
		"scope not all":    func(d *cert.Certificate) { d.Scope[1].All = false },
		"short scope":      func(d *cert.Certificate) { d.Scope = d.Scope[:1] },
		"system":           func(d *cert.Certificate) { d.System += "\n" },
		"hash":             func(d *cert.Certificate) { d.SystemHash = strings.Repeat("0", 64) },
		"evidence":         func(d *cert.Certificate) { d.Evidence.Is = &cert.Forward{Kept: backwardOf(d).Kept} },
		"inductive":        func(d *cert.Certificate) { d.Evidence.Is = &cert.Inductive{K: 1} },
		"no lemma":         func(d *cert.Certificate) { backwardOf(d).StartOnly = nil },
		"lemma value":      func(d *cert.Certificate) { backwardOf(d).StartOnly[0].Value = "hole03" },
		"lemma variable":   func(d *cert.Certificate) { backwardOf(d).StartOnly[0].Var = "x" },
		"nothing kept":     func(d *cert.Certificate) { backwardOf(d).Kept = cert.Kept{} },
		"no pits":          func(d *cert.Certificate) { backwardOf(d).Kept.Pits = nil },
		"no variable":      func(d *cert.Certificate) { backwardOf(d).Kept.Vars = nil },
		"variable when over": func(d *cert.Certificate) {
			backwardOf(d).Kept.VarsWhenOver = backwardOf(d).Kept.Vars
		},
		"store kept": func(d *cert.Certificate) {
			backwardOf(d).Kept.Pits = append([]string{"store01"}, backwardOf(d).Kept.Pits...)
		},
		"order of pits": func(d *cert.Certificate) { slices.Reverse(backwardOf(d).Kept.Pits) },
		"hole left out": func(d *cert.Certificate) { leaveOut(d, pits-1) },
		"store kept as empty": func(d *cert.Certificate) {
			backwardOf(d).Kept.Pits = append([]string{"store01"}, backwardOf(d).Kept.Pits...)
			for i := range backwardOf(d).States {
				backwardOf(d).States[i].Seeds = append([]int{0}, backwardOf(d).States[i].Seeds...)
			}
		},
	} {
		mustReject(t, c, what, change)
	}
	for i := range pits {
		mustReject(t, c, fmt.Sprintf("pit %d not named", i), func(d *cert.Certificate) {
			backwardOf(d).Kept.Pits = slices.Delete(backwardOf(d).Kept.Pits, i, i+1)
		})
		mustReject(t, c, fmt.Sprintf("pit %d left out", i), func(d *cert.Certificate) { leaveOut(d, i) })
	}
}

// leaveOut removes a pit from all states, as if it did not matter.
func leaveOut(c *cert.Certificate, pit int) {
	e := backwardOf(c)
	e.Kept.Pits = slices.Delete(e.Kept.Pits, pit, pit+1)
	for i := range e.States {
		e.States[i].Seeds = slices.Delete(e.States[i].Seeds, pit, pit+1)
	}
}

// TestEveryLetterCounts: the rules cannot be changed at all, not even in comments.
func TestEveryLetterCounts(t *testing.T) {
	t.Parallel()
	c := dose(t, 6)
	d := copyOf(t, c)
	for path, text := range c.Sources {
		for i := range text {
			for _, letter := range []string{"", " ", "x"} {
				changed := text[:i] + letter + text[i+1:]
				if changed == text {
					continue
				}
				d.Sources[path] = changed
				if _, err := cert.Check(context.Background(), d); err == nil {
					t.Fatalf("letter %d of %s as %q", i, path, letter)
				}
			}
		}
	}
}

// TestBytesCount: no byte of the file can be changed so that another certificate is accepted.
func TestBytesCount(t *testing.T) {
	t.Parallel()
	c := dose(t, 5)
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		t.Fatal(err)
	}
	original := copyOf(t, c)
	for i := 0; i < file.Len(); i += 7 * tier.Every(20, 5) { // all others are of the same few kinds
		data := bytes.Clone(file.Bytes())
		data[i] ^= 1
		d, err := cert.Read(bytes.NewReader(data))
		if err != nil {
			continue
		}
		d.Tool = original.Tool
		if reflect.DeepEqual(d, original) {
			continue
		}
		if _, err := cert.Check(context.Background(), d); err == nil {
			t.Errorf("byte %d: %q instead of %q", i, data[i], file.Bytes()[i])
		}
	}
}

// TestTransplants: evidence for one board, or for other rules, is not accepted for another.
func TestTransplants(t *testing.T) {
	program, inst := instance(t, "../../examples/dose2015.sow", "thesis", build.Settings{"n": {N: 4}})
	for n := 5; n <= 8; n++ {
		c, err := cert.New("test", program, inst, cert.Proved, false, dose(t, n).Evidence.Is)
		if err != nil {
			t.Fatal(err)
		}
		mustReject(t, c, fmt.Sprintf("evidence of n = %d for 4", n), func(d *cert.Certificate) { d.Tool = "x" })
	}
}

// TestOtherRules: evidence is accepted for other rules only if it is right for them, too: if it
// contains all states from which their target can be reached.
func TestOtherRules(t *testing.T) {
	c := dose(t, 6)
	for _, change := range [][2]string{
		{"lose SR005", "selected = last"},
		{"selected = before(last)", "selected = last"},
		{"selected = before(last)", "selected = before(before(last))"},
		{", store takes only the last", ""},
		{"when total(hole) = 0", "when total(hole) = 1"},
		{"when total(hole) = 0", "when total(hole) = 0 or store01 > 3"},
		{"when total(hole) = 0", "when some hole > 3"},
		{"last was empty", "last was 1"},
		{"each hole >= 1, ", ""},
		{"in 2*n..", "in 0.."},
		{"selected = none", "selected /= none"},
		{"sow selected", "sow 1 from selected"},
		{"sow selected along dir,", "sow selected along dir, origin first,"},
	} {
		text := c.Sources[c.Root]
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Fatalf("%s does not occur", change[0])
		}
		other := source(t, changed)
		_, err := tryNew(t, other, c.Evidence.Is)
		if err == nil && !holdsAll(t, other, backwardOf(c)) {
			t.Errorf("%s: accepted", change)
		}
		t.Logf("%s: %v", change, err)
	}
}

// holdsAll reports whether evidence contains the whole set that the backward search finds for the
// thesis, and no start.
func holdsAll(t *testing.T, program *dsl.Program, evidence *cert.Backward) bool {
	t.Helper()
	inst := instanceOf(t, program, "thesis", nil)
	res, err := backward.Search(context.Background(), interp.New(inst.System), inst.Property.(*build.Reach).Target,
		backward.Options{Bounds: limit.Bounds{MaxStates: 1000}})
	if err != nil || res.Stop != limit.Complete {
		return false
	}
	var states []rules.State
	for i := range res.Len() {
		states = append(states, res.State(i))
	}
	found := cert.NewBackward(inst.System, res.Kept.Kept, nil, states)
	return !slices.ContainsFunc(found.States, func(s cert.State) bool {
		return !slices.ContainsFunc(evidence.States, func(e cert.State) bool { return reflect.DeepEqual(e, s) })
	})
}

func TestPackedStatesAreNeeded(t *testing.T) {
	t.Parallel()
	for _, c := range []*cert.Certificate{kalah(t, 2, 2), kalah(t, 3, 2)} {
		states := unpacked(t, c)
		step := max(1, len(states)/20) * tier.Every(20, 6)
		for i := 0; i < len(states); i += step {
			mustReject(t, c, fmt.Sprintf("without state %d", i), func(d *cert.Certificate) {
				repack(d, slices.Delete(slices.Clone(states), i, i+1))
			})
			for k := range states[i] {
				for _, by := range []int64{-1, 1} {
					mustReject(t, c, fmt.Sprintf("number %d of state %d by %d", k, i, by), func(d *cert.Certificate) {
						changed := slices.Clone(states)
						changed[i] = slices.Clone(states[i])
						changed[i][k] += by
						repack(d, changed)
					})
				}
			}
		}
		mustReject(t, c, "count", func(d *cert.Certificate) { listOf(d).Count++ })
		mustReject(t, c, "packed", func(d *cert.Certificate) { listOf(d).Text = listOf(d).Text[4:] })
	}
}

// unpacked lists the numbers of each state of a Kalah, which keeps everything: outcome, mover and
// all pits.
func unpacked(t *testing.T, c *cert.Certificate) [][]int64 {
	return unpackedOf(t, listOf(c).Text, 2+len(c.Evidence.Is.(*cert.Forward).Kept.Pits))
}

func repack(c *cert.Certificate, states [][]int64) {
	listOf(c).Count, listOf(c).Text = len(states), packedOf(states)
}

// unpackedOf returns the given number of numbers of each packed state.
func unpackedOf(t testing.TB, packed string, numbers int) [][]int64 {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		t.Fatal(err)
	}
	var states [][]int64
	for len(data) > 0 {
		var s []int64
		for range numbers {
			v, n := binary.Varint(data)
			s, data = append(s, v), data[n:]
		}
		states = append(states, s)
	}
	return states
}

// packedOf is the inverse of unpackedOf.
func packedOf(states [][]int64) string {
	var data []byte
	for _, s := range states {
		for _, v := range s {
			data = binary.AppendVarint(data, v)
		}
	}
	return base64.StdEncoding.EncodeToString(data)
}

// TestFalseLemma: a false lemma would excuse missing states.
func TestFalseLemma(t *testing.T) {
	t.Parallel()
	c := dose(t, 6)
	for _, hole := range backwardOf(c).Kept.Pits {
		mustReject(t, c, "lemma on "+hole, func(d *cert.Certificate) {
			backwardOf(d).StartOnly = append(backwardOf(d).StartOnly, cert.StartOnly{Var: "selected", Value: hole})
			backwardOf(d).States = slices.DeleteFunc(backwardOf(d).States, func(s cert.State) bool {
				return len(s.Vars) > 0 && s.Vars[0] == hole
			})
		})
	}
}

// TestStartInTheSet: a set that contains a start shows nothing, closed or not.
func TestStartInTheSet(t *testing.T) {
	program := source(t, `
variant Still {
  param stones = 3 in 1..
  board { a | b }
  setup { any where a = stones }
  move still when a < 0 { }
}
claim c { expect refuted  unreachable a = 3 and b = 0 for all stones }
claim d { unreachable a = 0 and b = 0 for all stones }
`)
	for claim, seeds := range map[string]int{"c": 3, "d": 0} {
		inst := instanceOf(t, program, claim, nil)
		s := inst.System.EmptyStart()
		s.Seeds[0] = seeds
		c, err := cert.New("test", program, inst, cert.Proved, false, cert.NewBackward(inst.System, rules.Kept{}, nil, []rules.State{s}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cert.Check(context.Background(), c); (err == nil) != (claim == "d") {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

// TestHiddenPredecessors: sets that lack a predecessor which is a start are rejected, in games in
// which the state after the move does not determine the state before.
func TestHiddenPredecessors(t *testing.T) {
	for name, text := range map[string]string{
		"excused by a lemma": `
  state x : 0..2 = 2
  move pick when x = 2 { x = 1 }`,
		"set without being read": `
  state x : 0..2 = 2
  move set { x = 1 }`,
		"what was in the pit that is sown": `
  state x : 0..2 = 2
  move sown { sow a along lap, origin first  x = 1 }`,
	} {
		program := source(t, `
variant Hidden {
  param stones = 1 in 1..
  board { a | b  ring lap = a, b }`+text+`
  setup { any where a = stones, b = 0 }
}
claim c { expect refuted  unreachable x = 1 and a = 1 and b = 0 for all stones }
`)
		inst := instanceOf(t, program, "c", nil)
		s := inst.System.EmptyStart()
		s.Seeds[0], s.Vars[0] = 1, 1
		zero := s.Clone()
		zero.Vars[0] = 0
		evidence := cert.NewBackward(inst.System, rules.Kept{}, []rules.StartOnly{{Var: 0, Value: 2}}, []rules.State{s, zero})
		c, err := cert.New("test", program, inst, cert.Proved, false, evidence)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cert.Check(context.Background(), c); err == nil || !strings.Contains(err.Error(), "not closed") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// listOf returns the packed states of a certificate.
func listOf(c *cert.Certificate) *cert.Packed {
	switch e := c.Evidence.Is.(type) {
	case *cert.Forward:
		return &e.Packed
	case *cert.Falling:
		return &e.Packed
	case *cert.Depths:
		return &e.Packed
	}
	return &c.Evidence.Is.(*cert.Product).Packed
}
