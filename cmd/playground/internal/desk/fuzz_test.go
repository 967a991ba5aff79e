package desk_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/cmd/playground/internal/desk"
)

// hostile are texts that stand for much work, or that no rules are.
var hostile = []string{
	"", "variant", "\x00", "\ufeff", strings.Repeat("x ", 20_000), strings.Repeat("{", 3000),
	"import \"" + strings.Repeat("a/", 20_000) + "x.sow\"\n",
	"import \"__proto__\"\nimport \"../../etc/passwd\"\nimport \"constructor.sow\"\n",
	"variant V { board { a | b } setup { a = 1 } move { require a > 0 take 1 from a into b } }\nclaim __proto__ { terminates }\n",
	"variant V { param m = 3 in 1..99999999999999999999 board { a[1..m] ring l = a } setup { each a = m } move { choose p in a where p > 0 sow p along l } }\n",
	`variant V {
  param n = 1 in 1..99999
  board { a[1..3] | s   ring l = a, s }
  setup { any where total(a) = n }
  move { choose x in a where x > 0  sow x along l }
  win when total(a) = 0
}
` + strings.Repeat("claim c { for n in 1..99999: unreachable total(s) = 9 }\n", 30),
	`variant V {
  board { a[1..3] | s   ring l = a, s }
  setup { each a = 1_000_000_000_000_000 }
  move { choose k in a  sow k along l, each drop { if last = s { } } }
  win when total(a) = 0
}
`,
	`variant V {
  board { a | b }
  setup { a = 3 }
  move { require ` + strings.Repeat("(not ", 500) + "a > 9" + strings.Repeat(")", 500) + ` take 1 from a into b }
}
`,
}

// FuzzQuestions: whatever a link or the page puts into a question, it is answered in JSON, and no
// answer is a fault of the tool.
func FuzzQuestions(f *testing.F) {
	games := []string{
		"", `{"variant":"V","moves":["1","a","-1","<b>"]}`, `{"params":{"m":-1,"n":99999,"__proto__":1},"setup":-1}`, `{"params":{"n":1e300},"setup":9223372036854775807}`,
		`{"start":{"pits":{"a":-1,"zz":9}},"moves":["a1"]}`, `{"start":[],"params":null}`, `{"start":{"mover":"Nobody","outcome":"x","vars":{"x":[]}}}`, `{"params":{"n":"x","m":[]},"moves":[null]}`,
	}
	for i, ask := range []string{"check", "position", "decide", "holds", "analyse", "hello", "library", "sing", ""} {
		for k, text := range hostile {
			f.Add(ask, text, games[(i+k)%len(games)])
		}
	}
	limits := desk.Limits{Reading: 20 * time.Millisecond, States: 200, Memory: 1 << 26}
	f.Fuzz(func(t *testing.T, ask, text, game string) {
		q := map[string]any{"ask": ask, "source": desk.Source{Path: "game.sow", Text: text}, "claims": []string{}, "claim": "c", "time": 5, "files": map[string]string{"a.sow": text}}
		if json.Valid([]byte(game)) {
			q["game"] = json.RawMessage(game)
		}
		question, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		answer := desk.New(limits).Answer(t.Context(), question, func(part any) {
			if _, err := json.Marshal(part); err != nil {
				t.Errorf("what is told is no JSON: %v", err)
			}
		})
		var failed struct {
			Error string `json:"error"`
		}
		if err := json.Unmarshal(answer, &failed); err != nil || strings.Contains(failed.Error, "internal error") {
			t.Errorf("%s, %.300q, %s: %.300s, %v", ask, text, game, answer, err)
		}
	})
}
