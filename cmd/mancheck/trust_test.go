package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTrust: the numbers of lines in docs/trust.md are right, to a tenth.
func TestTrust(t *testing.T) {
	text, err := os.ReadFile("../../docs/trust.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| [A-Z] \| [^|]*\| ([^|]+) \| ([\d,]+) \|$`)
	rows := row.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 8 {
		t.Fatalf("%d rows with lines", len(rows))
	}
	for _, r := range rows {
		said, err := strconv.Atoi(strings.ReplaceAll(r[2], ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		where, _, _ := strings.Cut(r[1], ";")
		for _, path := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(where, -1) {
			lines += linesOf(t, "../../"+path[1], strings.Contains(path[1], "/") || path[1] != "rules")
		}
		if lines > said+said/10 || lines < said-said/10 {
			t.Errorf("%s: %d lines, and the page says %d", r[1], lines, said)
		}
	}
}

// linesOf counts the lines of a file, or of the Go and Python files of a folder without tests, and
// of the folders below.
func linesOf(t *testing.T, path string, below bool) int {
	t.Helper()
	lines := 0
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir():
			if file != path && (!below || name == "testdata" || name == "editors" || strings.HasSuffix(name, "test")) {
				return fs.SkipDir
			}
			return nil
		case file != path && (strings.HasSuffix(name, "_test.go") || !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".py")):
			return nil
		}
		text, err := os.ReadFile(file)
		lines += bytes.Count(text, []byte("\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
