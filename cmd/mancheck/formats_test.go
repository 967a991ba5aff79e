package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// xmlCount is `xmlcount FILE ELEMENT N`: the file is well-formed XML with N such elements.
func xmlCount(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: xmlcount FILE ELEMENT N")
	}
	d := xml.NewDecoder(bytes.NewReader([]byte(ts.ReadFile(args[0]))))
	n := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		ts.Check(err)
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == args[1] {
			n++
		}
	}
	if strconv.Itoa(n) != args[2] {
		ts.Fatalf("%s has %d elements %s, want %s", args[0], n, args[1], args[2])
	}
}

// jsonCount is `jsoncount FILE PATH N`: the file is JSON with a list of N elements at PATH, the
// names and numbers on the way to it.
func jsonCount(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: jsoncount FILE PATH N")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &v))
	for name := range strings.SplitSeq(args[1], ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[name]
		case []any:
			n, err := strconv.Atoi(name)
			ts.Check(err)
			if n >= len(in) {
				ts.Fatalf("%s: there is no element %d", args[1], n)
			}
			v = in[n]
		}
	}
	list, ok := v.([]any)
	if !ok || strconv.Itoa(len(list)) != args[2] {
		ts.Fatalf("%s has %d elements at %s, want %s", args[0], len(list), args[1], args[2])
	}
}
