package editors_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// inTier skips a test that needs node and its packages, unless scripts/grammar-tests runs it.
func inTier(t *testing.T) {
	t.Helper()
	if os.Getenv("MANCHECK_GRAMMARS") == "" {
		t.Skip("scripts/grammar-tests runs this test, with MANCHECK_GRAMMARS=1")
	}
}

// node runs a script with a value as JSON, and reads its answer.
func node(t *testing.T, in, out any, script ...string) {
	t.Helper()
	question, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", script...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(question), os.Stderr
	answer, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(answer, out)
	}
	if err != nil {
		t.Fatalf("%s: %v", script[0], err)
	}
}

// compare reports the first places at which tokens differ.
func compare(t *testing.T, path, src string, got, want []token) {
	t.Helper()
	if len(want) == 0 {
		t.Errorf("%s has no tokens", path)
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			g, w := got[i], want[i]
			start := strings.LastIndex(src[:w.From], "\n") + 1
			line, _, _ := strings.Cut(src[start:], "\n")
			t.Errorf("%s:%d: %q is %s, and not %q, %s, in %s", path, 1+strings.Count(src[:w.From], "\n"), src[w.From:w.To], w.Kind, src[g.From:g.To], g.Kind, line)
			if g.From != w.From || g.To != w.To {
				return // what follows is shifted
			}
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d tokens, and not %d", path, len(want), len(got))
	}
}
