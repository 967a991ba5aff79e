package agree_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/internal/programtest"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/judge/agree"
)

// files of the short run: a sample of the whole language. For a long run there is make fuzz.
const files = 80

// short are limits for a short run: rather more claims than each one decided at any cost.
func short() agree.Options {
	opt := agree.Counted(1000)
	opt.More, opt.Rate, opt.Judge.Steps = 34, 40, 12_000
	return opt
}

// TestAgree: on random rules files no engine contradicts the judge or another engine. The seeds
// are always the same; with MANCHECK_AGREE set there is a new one, too. Unless everything is
// tested, a run ends as soon as enough was compared.
func TestAgree(t *testing.T) {
	tally := agree.NewTally()
	var seeds []uint64
	for seed := range uint64(files) {
		seeds = append(seeds, seed)
	}
	few := tier.Every(20, 5)
	enough := 15 * files / few // verdicts compared with a truth
	if os.Getenv("MANCHECK_AGREE") != "" {
		seeds = append(seeds, uint64(time.Now().UnixNano()))
		t.Logf("the new seed is %d", seeds[files])
	}
	opt := short()
	for _, seed := range seeds {
		if few > 1 && tally.Compared() >= enough {
			break
		}
		for _, f := range opt.File(seed, gen.With(seed, opt.More), tally) {
			t.Errorf("%v\n%s", f, f.File.Whole())
		}
	}
	var b strings.Builder
	tally.Print(&b)
	t.Log(b.String())
	if got := tally.Compared(); got < enough {
		t.Errorf("only %d verdicts compared with a truth", got)
	}
}

// TestValues: what positions are worth, and what a player can force, in random games of two
// players. With MANCHECK_AGREE set there are thousands. The evidence of verdicts is that of
// certificates.
func TestValues(t *testing.T) {
	n := 40 / tier.Every(8, 2)
	if os.Getenv("MANCHECK_AGREE") != "" {
		n = 3000
	}
	opt := agree.Defaults()
	opt.Engines, opt.Sampled, opt.Decide.Certify = []proofs.Engine{proofs.Forward}, nil, true
	tally := agree.NewTally()
	for seed := range uint64(n) {
		for _, f := range opt.File(seed, gen.Contested(seed), tally) {
			t.Errorf("%v\n%s", f, f.File.Whole())
		}
	}
	var b strings.Builder
	tally.Print(&b)
	t.Log(b.String())
	if got := tally.Compared(); got < 2*n {
		t.Errorf("only %d verdicts compared with a truth", got)
	}
}

// TestByHand: files of which each is about one part of the language. Their claims ask of each small
// number whether it is that of some states or plays, so that all engines have to find the same one.
func TestByHand(t *testing.T) {
	tier.Long(t, "it judges hundreds of claims")
	list, err := filepath.Glob("testdata/*.sow")
	if err != nil || len(list) == 0 {
		t.Fatalf("no files, %v", err)
	}
	if os.Getenv("MANCHECK_AGREE") == "" {
		list = list[:4/tier.Every(4, 4)]
	}
	for _, path := range list {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".sow"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			tally := agree.NewTally()
			opt := agree.Defaults()
			opt.Rate, opt.Judge.Steps = 400, 3_000_000
			for _, f := range opt.File(0, &gen.File{Text: string(text)}, tally) {
				t.Error(f)
			}
			if n := tally.Compared(); n < 300 {
				t.Errorf("only %d verdicts compared with a truth", n)
			}
		})
	}
}

// FuzzAgree lets the fuzzer make the choices.
func FuzzAgree(f *testing.F) {
	f.Add([]byte("sowing games"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			t.Skip()
		}
		for _, found := range agree.Quick().File(0, gen.From(gen.NewBytes(data)), agree.NewTally()) {
			t.Errorf("%v\n%s", found, found.File.Whole())
		}
	})
}

// wrong is a file in which a limit on time makes any engine late.
const wrong = `import "lost.sow"
variant A {
  board { a[1..3] | z
    ring lap = a, z }
  state x : 0..2 = 0
  setup { each a = 1 }
  move M { choose p in a where p > 0  sow p along lap  x = 3 }
  win W when z = 3
}
position P { 1 1 1 | _ }
claim c1 { unreachable W }
claim c2 { reachable W and (total(a) = 2 or x = 1) }
`

// TestShrink: what does not bear on a finding is taken away. The finding here is that the import is
// missing.
func TestShrink(t *testing.T) {
	file := &gen.File{Text: strings.TrimPrefix(wrong, "import \"lost.sow\"\n")}
	shows := func(text string) bool { return strings.Contains(text, "x = 3") && strings.Contains(text, "claim c2") }
	small := agree.ShrinkText(file.Text, shows)
	if !shows(small) || len(strings.Fields(small)) > 15 || strings.Contains(small, "claim c1") {
		t.Errorf("shrunk to\n%s", small)
	}
	if _, diags := dsl.Parse("x", []byte(file.Text)); diags.HasErrors() {
		t.Error(diags.Err())
	}
}

// TestWorkers: a run with processes of its own comes to an end, and a worker that crashes is a
// finding.
func TestWorkers(t *testing.T) {
	tier.Long(t, "starts processes")
	exe := programtest.Build(t, "../fuzz")
	crash := 0
	r := agree.Run{
		First: 1, Files: 3, Time: time.Minute, Workers: 2,
		Command: func(ctx context.Context, first, step uint64) *exec.Cmd {
			if first == 1 {
				return exec.CommandContext(ctx, "sh", "-c", `echo '{"Seed":1}'; exit 7`)
			}
			return exec.CommandContext(ctx, exe, "-work", fmt.Sprint(step), "-first", fmt.Sprint(first))
		},
		Tell: func(f agree.Finding) {
			if f.Class == "crash" && f.Seed == 1 {
				crash++
			}
		},
	}
	total := r.Do(t.Context())
	if crash != 1 || total.Files["good"]+total.Files["with mistakes"] < 3 {
		t.Errorf("%d crashes, %v", crash, total.Files)
	}
}
