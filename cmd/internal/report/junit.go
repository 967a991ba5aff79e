// No build server runs in a browser, and the libraries for this format are large.

//go:build !js

package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/suite"
)

// JUnit writes a run as JUnit XML, with a suite for each file and a test case for each instance of
// a claim. A verdict that is not as expected is a failure. An inconclusive one is an error, as is a
// claim that failed, so that neither goes unnoticed. An error is an error of writing.
func JUnit(w io.Writer, rep *suite.Report, sources map[string][]byte) error {
	all := junit.Testsuites{Name: "mancheck"}
	if rep.Part != nil {
		all.Name += ", " + partOf(rep.Part)
	}
	var total time.Duration
	for _, items := range lists.Runs(rep.Items, func(a, b *suite.Item) bool { return a.File == b.File }) {
		one, elapsed := junitSuite(items, sources)
		one.ID = len(all.Suites)
		all.AddSuite(one)
		total += elapsed
	}
	all.Time = junitTime(total)
	all.Skipped = 0 // the suites have the numbers; the schema has no place for their sum
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return all.WriteXML(w)
}

// junitSuite returns the suite for the items of one file, and the time that they took.
func junitSuite(items []*suite.Item, sources map[string][]byte) (junit.Testsuite, time.Duration) {
	file := filepath.ToSlash(items[0].File)
	out := junit.Testsuite{Name: file, File: file}
	var elapsed time.Duration
	for _, i := range items {
		out.AddTestcase(junitCase(i, sources))
		if i.Result != nil {
			elapsed += i.Result.Stats.Elapsed
		}
	}
	out.Time = junitTime(elapsed)
	return out, elapsed
}

// junitCase returns the test case for one item.
func junitCase(i *suite.Item, sources map[string][]byte) junit.Testcase {
	e := entryOf(i)
	out := junit.Testcase{Name: e.Name, Classname: strings.TrimSuffix(filepath.ToSlash(i.File), ".sow"), Time: junitTime(e.elapsed)}
	found := &junit.Result{Message: headline(i), Type: e.kind}
	switch e.outcome {
	case suite.AsExpected:
		out.SystemOut = &junit.Output{Data: headline(i)}
		return out
	case suite.NotRun:
		out.Skipped = found
		return out
	case suite.NotAsExpected:
		out.Failure = found
	default:
		out.Error = found
	}
	found.Data = strings.TrimSpace(headline(i) + "\n" + evidenceText(i, sources))
	return out
}

func junitTime(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
