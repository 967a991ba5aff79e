package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const folder = "../../docs/exercises"

func exercises(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob(folder + "/*.sow")
	if err != nil || len(list) != 5 {
		t.Fatalf("%q, %v", list, err)
	}
	return list
}

// grades grades a text.
func grades(t *testing.T, teacher string, text []byte) *graded {
	t.Helper()
	e, err := read(teacher)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "handed_in.sow")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	g, err := e.grade(t.Context(), path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSolutions: the solution of each exercise in the documents is right, and what students get is
// not yet.
func TestSolutions(t *testing.T) {
	for _, teacher := range exercises(t) {
		t.Run(filepath.Base(teacher), func(t *testing.T) {
			t.Parallel()
			e, err := read(teacher)
			if err != nil {
				t.Fatal(err)
			}
			if e.hidden == 0 || e.hidden == len(e.claims) || len(e.hints) == 0 {
				t.Errorf("%d of %d claims are secret, there are %d hints", e.hidden, len(e.claims), len(e.hints))
			}
			given := e.handout()
			if bytes.Contains(given, []byte(e.hints[0])) || slices.ContainsFunc(e.claims[len(e.claims)-e.hidden:], func(name string) bool {
				return bytes.Contains(given, []byte("claim "+name))
			}) {
				t.Errorf("what is secret is given away:\n%s", given)
			}
			if !slices.Equal(hints(given), e.hints) {
				t.Errorf("hints %q, want %q", hints(given), e.hints)
			}
			if g := grades(t, teacher, given); g.points() == len(e.claims) || g.remark != "" {
				t.Errorf("what is handed out has %v, %s", g.marks, g.remark)
			}
			solution := contents(t, filepath.Join(folder, "solutions", filepath.Base(teacher)))
			if g := grades(t, teacher, solution); g.points() != len(e.claims) || g.remark != "" {
				t.Errorf("the solution has %v, %s", g.marks, g.remark)
			}
		})
	}
}

// TestGrade grades answers that are wrong in some way. Without a solver, some that are not right
// stay open: no stands for both.
func TestGrade(t *testing.T) {
	answer := func(exercise, old, new string) (string, []byte) {
		text := contents(t, filepath.Join(folder, "solutions", exercise))
		if !bytes.Contains(text, []byte(old)) {
			t.Fatalf("%s has no %q", exercise, old)
		}
		return filepath.Join(folder, exercise), bytes.Replace(text, []byte(old), []byte(new), 1)
	}
	for _, c := range []struct {
		exercise, old, new string
		want               string // marks
		remark             string // part of it
	}{
		// A weight that one kind of step does not lower.
		{"rank.sow", "4 * row1 + 3 * row2", "3 * row1 + 3 * row2", "wrong no right", ""},
		// It falls in what can be reached, and is below 0 there.
		{"rank.sow", "+ row4", "+ row4 - 100", "right right wrong", ""},
		{"rank.sow", "+ row4", "+ row5", "faulty faulty faulty", ""},
		{"rank.sow", "define rank", "define rang", "faulty faulty faulty", ""},
		// The question cannot be changed.
		{"rank.sow", "define rank = 4 * row1 + 3 * row2 + 2 * row3 + row4\n\nclaim falls \"Each step makes it less\" { from not finished", "define rank = 0\n\nclaim falls \"Each step makes it less\" { from finished", "wrong no right", ""},
		{"rank.sow", "claim falls", "claim bounded { invariant true }\nclaim falls", "right right right", ""},
		{"rank.sow", "move on {", "move on }", "faulty faulty faulty", "S001"},
		// Seeds that are weighed otherwise.
		{"law.sow", "4 * right", "2 * right", "wrong no right no", ""},
		{"law.sow", "left + 2 * middle + 4 * right", "7", "right right no no", ""},
		{"law.sow", "SHA-256", "SHA-1", "right right right right", "not of this exercise"},
		{"strategy.sow", "least index(c)", "least 1", "wrong wrong wrong", ""},
		{"invariant.sow", "seeds(right) <= seeds(left) + 1", "seeds(right) <= seeds(left)", "wrong no right right", ""},
		// Who is stuck wins, and who cannot win any more.
		{"hole.sow", "lose SR005\n      }\n    }", "win SR006\n      }\n    }", "right right right right right right", ""},
	} {
		t.Run(c.exercise, func(t *testing.T) {
			t.Parallel()
			path, text := answer(c.exercise, c.old, c.new)
			g := grades(t, path, text)
			var marks []string
			for i, m := range g.marks {
				mark := m.String()
				if strings.Fields(c.want)[i] == "no" && (m == wrong || m == open) {
					mark = "no"
				}
				marks = append(marks, mark)
			}
			if got := strings.Join(marks, " "); got != c.want || !strings.Contains(g.remark, c.remark) {
				t.Errorf("%s -> %s: %s, %s", c.old, c.new, got, g.remark)
			}
		})
	}
}
