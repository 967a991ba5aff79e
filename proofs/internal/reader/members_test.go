package reader

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
)

// oneOfEach has claims with oneOfEach certificates that together have all kinds of evidence.
var oneOfEach = map[string][]string{
	"../../../examples/dose2015.sow":     {"wider_boards"},
	"../../../examples/family/valah.sow": {"always_ends"},
	"../../../examples/kalah.sow":        {"every_game_ends[m=1]", "always_ends_on_every_board", "stores_grow_on_every_board", "conservation_on_every_board"},
	"../../../examples/tchoukaillon.sow": {"some_are_lost", "one_each[beads=1]"},
	"../../fairkalah.sow":                {"one_game[m=1]"},
	"../../rice.sow":                     {"plan_wins_elsewhere[cups=1]", "legal_if_it_matches"},
	"../../testdata/reader/laws.sow":     {"saved", "even", "all_of_them", "ends", "grows", "goes_on_or_ends", "has_seeds", "laps_end", "may_go_on"},
	"../../testdata/value/loop.sow":      {"l1", "l16"},
	"../../testdata/wrong/own_laps.sow":  {"h2", "c6"},
	"../../winnable.sow":                 {"has_a_move[cups=1]"},
}

// ofEachKind decides the claims of oneOfEach, and returns their certificates by name.
func ofEachKind(t *testing.T) map[string]*cert.Certificate {
	t.Helper()
	list, kinds := map[string]*cert.Certificate{}, map[string]bool{}
	for path, names := range oneOfEach {
		f, err := proofs.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		instances, err := f.Instances(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, inst := range instances {
			if !slices.Contains(names, inst.Name()) {
				continue
			}
			r, err := proofs.Decide(t.Context(), inst, proofs.Options{Bounds: limit.Bounds{MaxStates: 100_000}, Certify: true})
			if err != nil {
				t.Fatal(err)
			}
			c, err := r.Certificate("test", f.Program)
			if err != nil {
				t.Fatalf("%s: %v", inst.Name(), err)
			}
			list[filepath.Base(path)+" "+inst.Name()] = c
			kinds[cert.Kind(c.Evidence.Is)] = true
		}
	}
	if len(kinds) != 21 {
		t.Fatalf("%d kinds: %v", len(kinds), kinds)
	}
	return list
}

// unseen are the members that another checker does not compare: what they say is in the sources.
var unseen = []string{".tool", ".root", ".sources", ".claim.name", ".claim.label", ".line", ".some"}

// TestMembers: each member of certificates of each kind is altered in more than nine ways, of which
// some are taken at random, or all as for TestReaderAccepts. What is read is
// what the schema allows; the second checker accepts what mancheck does; and what is accepted says
// the same as before.
func TestMembers(t *testing.T) {
	tier.Long(t, "it decides a claim for each kind of evidence")
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/certificate.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	ours, files, dir := map[string]error{}, map[string]string{}, t.TempDir()
	read, accepted := 0, 0
	every := 8 * tier.Every(30, 8)
	if everyCertificate() {
		every = 1
	}
	r := rand.New(rand.NewPCG(1, 39))
	list := ofEachKind(t)
	for _, name := range slices.Sorted(maps.Keys(list)) {
		c := list[name]
		text := written(t, c)
		was, err := checked(t, text)
		if err != nil && !errors.As(err, new(*cert.NeedsSolver)) {
			t.Fatalf("%s: %v", name, err)
		}
		eachMember(t, text, func(path, how string, altered []byte, again bool) {
			if r.IntN(every) > 0 {
				return
			}
			at := fmt.Sprintf("%s: %s %s", name, path, how)
			c, err := cert.Read(bytes.NewReader(altered))
			doc, broken := jsonschema.UnmarshalJSON(bytes.NewReader(altered))
			if broken != nil {
				t.Fatalf("%s: %v", at, broken)
			}
			if broken := schema.Validate(doc); !again && (err == nil) != (broken == nil) {
				t.Errorf("%s: the schema says %v, mancheck %v", at, broken, err)
			}
			var now *cert.Report
			if err == nil {
				read++
				now, err = cert.Check(t.Context(), c)
			}
			switch {
			case err == nil:
				accepted++
				if how == "with twice as many" {
					now.States, now.Checked = was.States, was.Checked // a strategy that stands twice is right
				}
				if d := cmp.Diff(was, now); d != "" {
					t.Errorf("%s: accepted, and says something else:\n%s", at, d)
				}
			case !errors.As(err, new(*cert.Rejected)) && !errors.As(err, new(*cert.NeedsSolver)):
				t.Errorf("%s: %v", at, err)
			case len(err.Error()) > 5000:
				t.Errorf("%s: a reason of %d bytes", at, len(err.Error()))
			}
			file := filepath.Join(dir, fmt.Sprint(len(files)))
			if err := os.WriteFile(file, altered, 0o644); err != nil {
				t.Fatal(err)
			}
			files[file], ours[file] = at, err
		})
	}
	t.Logf("%d altered, %d of them read, %d accepted", len(files), read, accepted)
	if _, err := exec.LookPath("python3"); err != nil {
		return
	}
	for file, answer := range reader(t, slices.Sorted(maps.Keys(files))) {
		hidden := slices.ContainsFunc(unseen, func(path string) bool { return strings.Contains(files[file], ": "+path) })
		switch err := ours[file]; {
		case err == nil && strings.HasPrefix(answer, "rejected"), err != nil && answer == "accepted" && !hidden:
			t.Errorf("%s: the reader says %s, mancheck %v", files[file], answer, err)
		}
	}
}

// written returns a certificate as text.
func written(t *testing.T, c *cert.Certificate) []byte {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func checked(t *testing.T, text []byte) (*cert.Report, error) {
	t.Helper()
	c, err := cert.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return cert.Check(context.Background(), c)
}

// eachMember calls yield with the text of a certificate for each alteration of each member, of
// lists of their first elements. again is whether a member stands twice.
func eachMember(t *testing.T, text []byte, yield func(path, how string, altered []byte, again bool)) {
	t.Helper()
	var tree map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	const twice = "@twice@"
	emit := func(path, how string) {
		out, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		yield(path, how, bytes.ReplaceAll(out, []byte(twice), nil), how == "doubled")
	}
	var object func(path string, in map[string]any)
	var list func(path string, in []any)
	inside := func(path string, x any) {
		switch x := x.(type) {
		case map[string]any:
			object(path, x)
		case []any:
			list(path, x)
		}
	}
	values := func(was any) map[string]any {
		broken := any("\n")
		if text, is := was.(string); is {
			broken = text + "\n"
		}
		return map[string]any{
			"null": nil, "0": 0, "-1": -1, "huge": json.Number(strings.Repeat("9", 10_000)), "with a line break": broken,
			"as a list": []any{}, "as an object": map[string]any{}, "false": false, "empty": "",
		}
	}
	list = func(path string, in []any) {
		if len(in) == 0 {
			return
		}
		was := in[0]
		to := values(was)
		for _, how := range slices.Sorted(maps.Keys(to)) {
			in[0] = to[how]
			emit(path+"[0]", how)
		}
		in[0] = was
		inside(path+"[0]", was)
	}
	object = func(path string, in map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(in)) {
			at, was := path+"."+name, in[name]
			to := values(was)
			for _, how := range slices.Sorted(maps.Keys(to)) {
				in[name] = to[how]
				emit(at, how)
			}
			in[name] = was
			if all, is := was.([]any); is && len(all) > 0 {
				in[name] = append(slices.Clone(all), all...)
				emit(at, "with twice as many")
				in[name] = was
			}
			in[name+twice] = was
			emit(at, "doubled")
			delete(in, name+twice)
			delete(in, name)
			emit(at, "removed")
			in[strings.ToUpper(name[:1])+name[1:]] = was
			if name != strings.ToUpper(name[:1])+name[1:] {
				emit(at, "in another case")
				delete(in, strings.ToUpper(name[:1])+name[1:])
			}
			in[name] = was
			inside(at, was)
		}
		if path == ".evidence" {
			for name, x := range others {
				if _, has := in[name]; has {
					continue
				}
				in[name] = x
				emit(path+"."+name, "of another kind")
				delete(in, name)
			}
		}
	}
	object("", tree)
}

// others are members of some kinds of evidence.
var others = map[string]any{
	"kept": map[string]any{"pits": []any{}, "vars": []any{}, "varsWhenOver": []any{}}, "states": []any{map[string]any{"seeds": []any{}}},
	"startOnly": []any{map[string]any{"var": "x", "value": "1"}}, "moves": []any{1}, "mostSeeds": 7, "count": 1, "packed": "AAAA", "k": 1,
	"play": []any{"x"}, "by": []any{map[string]any{"shows": "forces", "count": 0, "packed": ""}}, "groups": []any{map[string]any{"pits": []any{"x"}}},
	"at": 1, "seams": []any{[]any{"x", "y"}}, "below": []any{map[string]any{"kind": "seed-moves"}}, "family": "", "sinks": []any{}, "heights": []any{1},
	"weights": []any{[]any{1}},
}
