package diag

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSortMerges distinguishes one mistake that is found many times from several mistakes.
func TestSortMerges(t *testing.T) {
	one, two := find("hol"), find("none")
	tests := []struct {
		name string
		in   func(l *List)
		want []string
	}{
		{"each pit", func(l *List) {
			for _, p := range []string{"a", "b", "a", "c", "d", "e"} {
				l.Errorf(Misplaced, one, "`%s` is not on the lap `way`", p)
			}
		}, []string{"`a` is not on the lap `way`; the same for `b`, `c`, `d` and 1 more"}},
		{"each player, in turns", func(l *List) {
			for _, p := range []string{"South", "North"} {
				l.Errorf(Unknown, one, "`%s` has no lap", p)
				l.Errorf(Unknown, one, "`%s` has no store", p)
			}
		}, []string{"`South` has no lap; the same for `North`", "`South` has no store; the same for `North`"}},
		{"numbers", func(l *List) {
			for n := range 3 {
				l.Errorf(NotOnePit, one, "one pit is wanted here, this set has %d", n+2)
			}
		}, []string{"one pit is wanted here, this set has 2; 2 more like this at the same place"}},
		{"two values", func(l *List) {
			l.Errorf(Unknown, one, "`a` and `b`")
			l.Errorf(Unknown, one, "`c` and `d`")
		}, []string{"`a` and `b`; 1 more like this at the same place"}},
		{"repeated", func(l *List) {
			l.Errorf(Unknown, one, "unknown name `a`")
			l.Errorf(Unknown, one, "unknown name `a`")
		}, []string{"unknown name `a`"}},
		{"other places, codes and texts", func(l *List) {
			l.Errorf(Unknown, one, "unknown name `a`")
			l.Errorf(Type, one, "unknown name `a`")
			l.Errorf(Type, one, "not closed: `a")
			l.Errorf(Unknown, two, "unknown name `b`")
		}, []string{"unknown name `a`", "unknown name `a`", "not closed: `a", "unknown name `b`"}},
		{"no place", func(l *List) {
			l.Errorf(OutOfRange, Range{File: "-p"}, "n = 99 is out of range")
			l.Errorf(OutOfRange, Range{File: "-p"}, "n = 98 is out of range")
			l.Errorf(OutOfRange, Range{File: "-p"}, "n = 98 is out of range")
		}, []string{"n = 99 is out of range", "n = 98 is out of range"}},
	}
	for _, tt := range tests {
		var l List
		tt.in(&l)
		l.Sort()
		var got []string
		for _, d := range l {
			s := d.Message
			for _, n := range d.Notes {
				s += fmt.Sprintf("; %s", n.Message)
			}
			got = append(got, s)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
