package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/proofs/suite"
)

// junitShape is what readers of JUnit XML agree on: the elements with their parents, and their
// attributes, of which those with ! are needed. It is what the schema of Jenkins takes, but for the
// elements that are not used here: those that hold elements hold no text, there are no namespaces,
// and a time of suites is a number of seconds.
var junitShape = map[string]struct {
	parents    []string
	attributes []string
}{
	"testsuites": {[]string{""}, []string{"name", "time", "tests", "failures", "errors"}},
	"testsuite": {
		[]string{"testsuites"},
		[]string{"name!", "tests!", "failures!", "errors!", "time", "skipped", "timestamp", "hostname", "id", "package", "file"},
	},
	"testcase":   {[]string{"testsuite"}, []string{"name!", "classname", "time", "group"}},
	"failure":    {[]string{"testcase"}, []string{"message", "type"}},
	"error":      {[]string{"testcase"}, []string{"message", "type"}},
	"skipped":    {[]string{"testcase"}, []string{"message", "type"}},
	"system-out": {[]string{"testcase"}, nil},
}

var junitSeconds = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)

// checkJUnit fails unless the document has the shape.
func checkJUnit(t rapid.TB, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	path := []string{""}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			if in := path[len(path)-1]; strings.HasPrefix(in, "test") && len(bytes.TrimSpace(token)) > 0 {
				t.Errorf("%q in %s", token, in)
			}
		case xml.StartElement:
			checkElement(t, token, path[len(path)-1])
			path = append(path, token.Name.Local)
		case xml.EndElement:
			path = path[:len(path)-1]
		}
	}
}

func checkElement(t rapid.TB, e xml.StartElement, parent string) {
	t.Helper()
	shape, known := junitShape[e.Name.Local]
	if !known || !slices.Contains(shape.parents, parent) || e.Name.Space != "" {
		t.Errorf("%s in %s", e.Name.Local, parent)
	}
	given := map[string]bool{}
	for _, a := range e.Attr {
		given[a.Name.Local] = true
		if a.Name.Local == "time" && !junitSeconds.MatchString(a.Value) {
			t.Errorf("%s has the time %q", e.Name.Local, a.Value)
		}
		if !slices.Contains(shape.attributes, a.Name.Local) && !slices.Contains(shape.attributes, a.Name.Local+"!") {
			t.Errorf("%s has an attribute %s", e.Name.Local, a.Name.Local)
		}
	}
	for _, a := range shape.attributes {
		if name, needed := strings.CutSuffix(a, "!"); needed && !given[name] {
			t.Errorf("%s has no attribute %s", e.Name.Local, name)
		}
	}
}

func readJUnit(t rapid.TB, doc []byte) []junit.Testcase {
	t.Helper()
	checkJUnit(t, doc)
	var all junit.Testsuites
	if err := xml.Unmarshal(doc, &all); err != nil {
		t.Fatal(err)
	}
	var cases []junit.Testcase
	for _, s := range all.Suites {
		cases = append(cases, s.Testcases...)
	}
	return cases
}

func TestJUnit(t *testing.T) {
	doc := written(t, JUnit, sample(t))
	var all junit.Testsuites
	if err := xml.Unmarshal(doc, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Suites) != 2 || all.Tests != 10 || all.Failures != 2 || all.Errors != 3 {
		t.Errorf("%d suites, %d tests, %d failures, %d errors", len(all.Suites), all.Tests, all.Failures, all.Errors)
	}
	if s := all.Suites[0]; s.Name != gameFile || s.Tests != 9 || s.Failures != 2 || s.Errors != 2 || s.Skipped != 1 {
		t.Errorf("%+v", s)
	}
	cases := readJUnit(t, doc)
	names := []string{"good", "bad", "vacuous", "sweep[seeds=1]", "sweep[seeds=2]", "limited", "listed", "broken", "left", "(file)"}
	for n, c := range cases {
		if c.Name != names[n] || n < 9 && c.Classname != strings.TrimSuffix(gameFile, ".sow") {
			t.Errorf("%s %s", c.Classname, c.Name)
		}
		seconds, err := strconv.ParseFloat(c.Time, 64)
		if err != nil || seconds < 0 {
			t.Errorf("%s takes %q", c.Name, c.Time)
		}
	}
	for text, in := range map[string]string{
		"GO": cases[1].Failure.Data, "over: WON (win)": cases[1].Failure.Data, "listed, but not found": cases[6].Failure.Data,
		"vacuous": cases[2].SystemOut.Data, "X001": cases[7].Error.Data,
		"move OVER { k = k + 1 }": cases[7].Error.Data, "]]>": cases[1].Failure.Data,
	} {
		if !strings.Contains(in, text) {
			t.Errorf("%q is not in %s", text, in)
		}
	}
}

func TestJUnitOfNothing(t *testing.T) {
	if cases := readJUnit(t, written(t, JUnit, &suite.Report{})); len(cases) != 0 {
		t.Error(cases)
	}
}
