// Package reader compares the checker of certificates with the reader in cert/testdata/reader, a
// second checker, in Python. It was written from docs/certificates.md, docs/kernel.md and their
// grammars alone, and reads no rules files. These tests show that the documents suffice, and that
// both checkers say the same of certificates and of altered ones. They take a sample of the
// certificates, and all of them, with more alterations, if the environment has
//
//	MANCHECK_READER=all
//
// which takes hours, and those that are small with as many alterations of each as it says with a
// number.
package reader

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
)

// everyCertificate is whether all certificates are read.
func everyCertificate() bool { return os.Getenv("MANCHECK_READER") == "all" }

// reader runs the reader on files, and returns its answer for each.
func reader(t *testing.T, files []string) map[string]string {
	t.Helper()
	answers := map[string]string{}
	for some := range slices.Chunk(files, 1000) {
		args := append([]string{filepath.Join("..", "..", "cert", "testdata", "reader", "reader.py"), filepath.Join("..", "..", "..", "docs", "certificate.schema.json")}, some...)
		cmd := exec.Command("python3", args...)
		cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		for line := range strings.Lines(string(out)) {
			if file, answer, found := strings.Cut(strings.TrimSpace(line), ": "); found {
				answers[file] = answer
			}
		}
	}
	if len(answers) != len(files) {
		t.Fatalf("%d answers for %d files", len(answers), len(files))
	}
	return answers
}

// certified is a certificate, with the claim that it is about.
type certified struct {
	name string
	*cert.Certificate
}

// certificates decides claims, and returns the certificates of those that have one with at most as
// many states. Of the claims of all files only some are taken, every so manyth, and they are of a
// part of the files unless everything is tested.
func certificates(t *testing.T, every, most int) []certified {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	var list []certified
	n := 0
	for _, glob := range []string{"../../../examples/*.sow", "../../../examples/family/*.sow", "../../*.sow", "../../testdata/value/[lr]*.sow", "../../testdata/reader/*.sow", "../../testdata/wrong/own_laps.sow"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", glob, err)
		}
		own := strings.Contains(glob, "testdata/")
		step := 1
		if !own {
			step = min(every, tier.Every(6, 3))
		}
		for i := 0; i < len(files); i += step {
			file := files[i]
			f, err := proofs.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			instances, err := f.Instances(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, inst := range instances {
				if n++; n%(every/step) > 0 && (!own || n%tier.Every(4, 1) > 0) || inst.Claim.Long {
					continue
				}
				r, err := proofs.Decide(context.Background(), inst, proofs.Options{Bounds: limit.Bounds{MaxStates: 1_000_000 / int64(tier.Every(20, 5))}, Certify: true})
				if err != nil {
					t.Fatalf("%s: %v", inst.Name(), err)
				}
				if c, err := r.Certificate("test", f.Program); err == nil && cert.Size(c.Evidence.Is) <= most {
					list = append(list, certified{filepath.Base(file) + " " + inst.Name(), c})
				}
			}
		}
	}
	return list
}

// unsaid are the answers of the reader where it does not follow what mancheck does.
var unsaid = []string{
	"cannot say: an invariant cannot be checked without a solver", "cannot say: whether loops end",
	"cannot say: who has a move, if players have to go on from a pit", "cannot say: where the game is over, if players have to go on from a pit",
}

// TestReaderAccepts: the reader accepts what mancheck has certified.
func TestReaderAccepts(t *testing.T) {
	t.Parallel()
	every, most := 12*tier.Every(8, 5), 3000/tier.Every(10, 3)
	if everyCertificate() {
		every, most = 1, 1<<30
	}
	dir, names, kinds, everySize := t.TempDir(), map[string]string{}, map[string]int{}, map[string]bool{}
	for i, c := range certificates(t, every, most) {
		file := filepath.Join(dir, fmt.Sprint(i))
		write(t, file, c.Certificate)
		names[file] = c.name
		kinds[cert.Kind(c.Evidence.Is)]++
		if c.Size != "" {
			everySize[file] = true
		}
	}
	for file, answer := range reader(t, slices.Sorted(maps.Keys(names))) {
		if everySize[file] {
			if answer != "cannot say: whether the rules of all sizes are those of one with pits inserted" {
				t.Errorf("%s: %s", names[file], answer)
			}
			continue
		}
		if answer != "accepted" && !slices.Contains(unsaid, answer) {
			t.Errorf("%s: %s", names[file], answer)
		}
	}
	t.Logf("%d certificates: %v", len(names), kinds)
}

// write writes a certificate, not compressed.
func write(t *testing.T, file string, c any) {
	t.Helper()
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReaderRejects: the reader accepts an altered certificate just if mancheck does. Where both do
// the alteration left it true: a state more in a set that is closed with it, a greater bound.
func TestReaderRejects(t *testing.T) {
	t.Parallel()
	every, most, alterations := 25*tier.Every(8, 3), 60, 20/tier.Every(5, 4)
	if everyCertificate() {
		every, most, alterations = 1, 100, 20
	}
	if n, err := strconv.Atoi(os.Getenv("MANCHECK_READER")); err == nil {
		every, most, alterations = 1, 60, n
	}
	dir, altered, both := t.TempDir(), map[string]string{}, 0
	ours := map[string]error{}
	for i, c := range certificates(t, every, most) {
		r := rand.New(rand.NewPCG(uint64(i), 24))
		for k := range alterations {
			what, tree := alter(t, r, c.Certificate)
			if what == "" {
				continue
			}
			file := filepath.Join(dir, fmt.Sprintf("%d.%d", i, k))
			write(t, file, tree)
			altered[file] = fmt.Sprintf("%s (%s) with %s", c.name, cert.Kind(c.Evidence.Is), what)
			ours[file] = checkFile(t, file)
		}
	}
	for file, answer := range reader(t, slices.Sorted(maps.Keys(altered))) {
		err := ours[file]
		if err == nil && strings.HasPrefix(answer, "cannot say: ") {
			continue // what is altered may be as true as before
		}
		if (answer == "accepted") != (err == nil) {
			t.Errorf("%s: the reader says %s, mancheck %v", altered[file], answer, err)
		}
		if err == nil {
			both++
		}
	}
	t.Logf("%d altered certificates, %d of them accepted", len(altered), both)
}

// TestOwnTables: a certificate declares the laps and relations that its System does not have, and
// says something else with others.
func TestOwnTables(t *testing.T) {
	f, err := proofs.Open("../../testdata/wrong/own_laps.sow")
	if err != nil {
		t.Fatal(err)
	}
	instances, err := f.Instances(nil)
	if err != nil {
		t.Fatal(err)
	}
	dir, want := t.TempDir(), map[string]string{}
	for _, inst := range instances {
		r, err := proofs.Decide(t.Context(), inst, proofs.Options{Engine: proofs.Forward, Certify: true})
		if err != nil {
			t.Fatal(err)
		}
		c, err := r.Certificate("test", f.Program)
		if err != nil || !strings.HasPrefix(c.Claim.Asserts, "given ") {
			t.Fatalf("%s: %v, %+v", inst.Name(), err, c)
		}
		for n, change := range []struct{ claim, from, to, want string }{
			{inst.Name(), "", "", "accepted"},
			{"c1", "u1, u2, u3", "u1, u3, u2", "rejected"}, // behind u2 is a1 then, where no seed is
			{"c2", "ring ccw", "line `ccw`", "accepted"},   // a2 lies behind a1 on the line, too
			{"c2", "ring ccw = a1, a2", "ring ccw = a2, a1", "rejected"},
			{"c3", "a1, a2, a3", "a1, u3, a3", "rejected"}, // the seed in u3 is opposite the mark at the end
			{"h1", "ring ccw", "ring cw", "rejected"},
			{"h1", "given ", "given ring ccw of \"South\" = south_in1 ", "rejected"},
		} {
			altered := *c
			altered.Claim.Asserts = strings.Replace(c.Claim.Asserts, change.from, change.to, 1)
			if change.claim != inst.Name() {
				continue
			}
			file := filepath.Join(dir, fmt.Sprint(inst.Name(), n))
			write(t, file, &altered)
			want[file] = change.want
			if err := checkFile(t, file); (err == nil) != (altered.Claim.Asserts == c.Claim.Asserts) {
				t.Errorf("%s: %v", altered.Claim.Asserts, err)
			}
		}
	}
	if _, err := exec.LookPath("python3"); err != nil {
		return
	}
	for file, answer := range reader(t, slices.Sorted(maps.Keys(want))) {
		if !strings.HasPrefix(answer, want[file]) {
			t.Errorf("%s: %s, want %s", filepath.Base(file), answer, want[file])
		}
	}
}

// checkFile checks a file as mancheck certify does.
func checkFile(t *testing.T, file string) error {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.Read(bytes.NewReader(text))
	if err == nil {
		_, err = cert.Check(context.Background(), c)
	}
	if err != nil && !errors.As(err, new(*cert.Rejected)) && !errors.As(err, new(*cert.NeedsSolver)) {
		t.Fatalf("%s: %v", file, err)
	}
	return err
}

// alter returns a certificate with one thing altered, left out or added, and says what that is.
func alter(t *testing.T, r *rand.Rand, c *cert.Certificate) (string, map[string]any) {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	evidence := tree["evidence"].(map[string]any)
	packed := []map[string]any{evidence}
	if by, is := evidence["by"].([]any); is {
		for _, s := range by {
			packed = append(packed, s.(map[string]any))
		}
	}
	for _, s := range packed {
		if text, is := s["packed"].(string); is {
			s["packed"] = unpacked(t, text)
		}
	}
	a := alteration{Rand: r}
	a.list("", tree)
	// Most of a certificate is evidence, so half of the alterations are of something else.
	evident := func(s spot) bool { return strings.HasPrefix(s.path, ".evidence") }
	spots, part := a.spots, r.IntN(2) == 0
	spots = slices.DeleteFunc(slices.Clone(spots), func(s spot) bool { return evident(s) != part })
	s := spots[r.IntN(len(spots))]
	what := s.path + ": " + s.change()
	for _, s := range packed {
		if numbers, is := s["packed"].([]any); is {
			s["packed"] = repacked(numbers)
		}
	}
	return what, tree
}

// alteration collects what can be altered in a tree of JSON.
type alteration struct {
	*rand.Rand
	spots []spot
}

// spot is a value in a tree; change alters it and says how.
type spot struct {
	path   string
	change func() string
}

// free are the fields on which nothing depends, or that say where in the rules files the claim is:
// what these say is not seen in the certificate. What is asserted is altered to something false
// only, since a certificate that asserts something else which is true is right.
var free = []string{".tool", ".root", ".sources", ".claim.name", ".claim.label", ".claim.asserts", ".line", ".some"}

// number ends an assertion of which only one number makes a true one.
var number = regexp.MustCompile(`^((?:value|count)\(.*\) = )(-?\d+)( where endless.*|)$`)

// list adds what can be altered in an object.
func (a *alteration) list(path string, in map[string]any) {
	for _, field := range slices.Sorted(maps.Keys(in)) {
		at := path + "." + field
		if slices.Contains(free, at) {
			continue
		}
		a.value(at, in[field], func(x any) { in[field] = x })
		a.spots = append(a.spots, spot{at, func() string { delete(in, field); return "left out" }})
	}
	if asserts, is := in["asserts"].(string); is && number.MatchString(asserts) {
		by := 1 + a.IntN(3)
		a.spots = append(a.spots, spot{path + ".asserts", func() string {
			m := number.FindStringSubmatch(asserts)
			n, err := strconv.Atoi(m[2])
			if err != nil {
				panic(err)
			}
			in["asserts"] = m[1] + strconv.Itoa(n+by) + m[3]
			return fmt.Sprintf("%d more", by)
		}})
	}
	a.spots = append(a.spots, spot{path + ".x", func() string { in["x"] = json.Number("1"); return "added" }})
}

// value adds what can be altered in a value; set puts another one in its place.
func (a *alteration) value(at string, x any, set func(any)) {
	add := func(change func() string) { a.spots = append(a.spots, spot{at, change}) }
	switch x := x.(type) {
	case map[string]any:
		a.list(at, x)
	case []any:
		for i := range x {
			a.value(fmt.Sprintf("%s[%d]", at, i), x[i], func(y any) { x[i] = y })
		}
		add(func() string { set(append(slices.Clone(x), json.Number("0"))); return "one more" })
		if len(x) > 0 {
			i, j := a.IntN(len(x)), a.IntN(len(x))
			add(func() string { set(slices.Delete(slices.Clone(x), i, i+1)); return fmt.Sprintf("without %d", i) })
			add(func() string { set(slices.Insert(slices.Clone(x), i, x[i])); return fmt.Sprintf("with %d twice", i) })
			add(func() string { x[i], x[j] = x[j], x[i]; return fmt.Sprintf("%d and %d exchanged", i, j) })
		}
	case json.Number:
		by := []int{-2, -1, 1, 2}[a.IntN(4)]
		add(func() string {
			n, err := x.Int64()
			if err != nil {
				panic(err)
			}
			set(json.Number(fmt.Sprint(n + int64(by))))
			return fmt.Sprintf("%d more", by)
		})
	case bool:
		add(func() string { set(!x); return "denied" })
	case string:
		add(func() string { set(a.text(x)); return "another text" })
	}
}

// text returns a text with something else in the place of a number, a word or a letter in it.
func (a *alteration) text(x string) string {
	others := []string{"proved", "refuted", "0", "1", "2", "none", "south1", "hole01", "South", "North", "and", "or", "<", ">=", "not", "true"}
	words := strings.Split(x, " ")
	if i := a.IntN(len(words)); a.IntN(3) > 0 {
		words[i] = others[a.IntN(len(others))]
		return strings.Join(words, " ")
	}
	i := a.IntN(len(x) + 1)
	return x[:i] + string(rune('0'+a.IntN(10))) + x[min(i+a.IntN(2), len(x)):]
}

// unpacked returns the numbers of packed states.
func unpacked(t *testing.T, text string) []any {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	for len(data) > 0 {
		n, size := binary.Varint(data)
		if size <= 0 {
			t.Fatal("no number")
		}
		list, data = append(list, json.Number(fmt.Sprint(n))), data[size:]
	}
	return list
}

// repacked packs numbers.
func repacked(list []any) string {
	var data []byte
	for _, n := range list {
		i, err := n.(json.Number).Int64()
		if err != nil {
			panic(err)
		}
		data = binary.AppendVarint(data, i)
	}
	return base64.StdEncoding.EncodeToString(data)
}
