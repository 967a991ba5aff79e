package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// TestUnderWay: the line has the rate and the time of what it shows, in 80 columns as in 200, and
// counts what has no room.
func TestUnderWay(t *testing.T) {
	one := func(name string) proofs.Progress {
		return proofs.Progress{Claim: name, Engine: proofs.Forward, Progress: limit.Progress{Depth: 8, States: 2_000_000, Open: 1_500_000, Elapsed: 4 * time.Second}}
	}
	begun := proofs.Progress{Claim: "begun"}
	long := strings.Repeat("long_", 30)
	for _, test := range []struct {
		running []proofs.Progress
		width   int
		want    string
	}{
		{nil, 79, "3/9 "},
		{[]proofs.Progress{begun}, 79, "3/9 begun"},
		{[]proofs.Progress{one("always")}, 79, "3/9 always: forward, depth 8, 1.50M open, 2.00M states, 500k/s, 4.0 s"},
		{[]proofs.Progress{one(long)}, 79, "3/9 long_long_lon…: forward, depth 8, 1.50M open, 2.00M states, 500k/s, 4.0 s"},
		{[]proofs.Progress{one("a"), begun}, 79, "3/9 a: forward, depth 8, 1.50M open, 2.00M states, 500k/s, 4.0 s"},
		{[]proofs.Progress{one("a"), begun}, 99, "3/9 a: forward, depth 8, 1.50M open, 2.00M states, 500k/s, 4.0 s; begun"},
		{[]proofs.Progress{one("a"), one("b"), one("c")}, 110, "3/9 a: forward, depth 8, 1.50M open, 2.00M states, 500k/s, 4.0 s; 2 more"},
		{
			[]proofs.Progress{one("a"), one("b")},
			199,
			"3/9 a: forward, depth 8, 1.50M open, 2.00M states, 500k/s, 4.0 s; b: forward, depth 8, 1.50M open, 2.00M states, 500k/s, 4.0 s",
		},
	} {
		got := underWay(suite.Progress{Done: 3, Total: 9, Running: test.running}, test.width)
		if got != test.want || utf8.RuneCountInString(got) > test.width {
			t.Errorf("%d columns, %d under way:\n%s\n%s", test.width, len(test.running), got, test.want)
		}
	}
}

func TestShare(t *testing.T) {
	for _, test := range []struct {
		done, of int64
		want     string
	}{{0, 0, ""}, {0, 8, "0 %, "}, {1, 8, "12 %, "}, {8, 8, "100 %, "}, {1 << 62, 1 << 62, "100 %, "}} {
		if got := share(test.done, test.of); got != test.want {
			t.Errorf("share(%d, %d) = %q, want %q", test.done, test.of, got, test.want)
		}
	}
}
