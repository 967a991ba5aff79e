package family_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/family"
)

// of makes the family of the first variant of a file, that grows in the middle of each stretch.
func of(t *testing.T, u *build.Unit, size string, at int, open ...string) *family.Family {
	t.Helper()
	base, next := sized(t, u, size, at, open...), sized(t, u, size, at+1, open...)
	stretches, err := family.Stretches(base, next)
	if err != nil {
		t.Fatal(err)
	}
	var xs []int
	for _, s := range stretches {
		xs = append(xs, (s.First+s.Last)/2)
	}
	f, err := family.New(base, next, size, at, xs)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// unlimited reads a file in which the size has no upper end.
func unlimited(t *testing.T, path, size string) *build.Unit {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	end := regexp.MustCompile(`(param ` + size + `\s*= \d+ in \d+\.\.)\d*`)
	return buildtest.Text(t, string(end.ReplaceAll(text, []byte("$1"))))
}

func sized(t *testing.T, u *build.Unit, size string, n int, open ...string) *rules.System {
	return buildtest.System(t, u, build.Settings{size: build.Value{N: n}}, open...)
}

// The Systems of a family are those that the resolver makes.
func TestGames(t *testing.T) {
	for _, g := range []struct {
		file, size string
		at         int
		open       []string
	}{
		{"dose2015.sow", "n", 4, []string{"stones"}},
		{"kalah.sow", "m", 2, nil},
		{"awari.sow", "m", 2, nil},
		{"congkak.sow", "m", 2, nil},
	} {
		u := unlimited(t, "../../examples/"+g.file, g.size)
		f := of(t, u, g.size, g.at, g.open...)
		for n := g.at; n <= 64; n += tier.Every(12, 4) {
			got, err := f.System(n)
			if err != nil {
				t.Errorf("%s, %s = %d: %v", g.file, g.size, n, err)
				break
			}
			if want := sized(t, u, g.size, n, g.open...); string(got.Canonical()) != string(want.Canonical()) {
				t.Errorf("%s, %s = %d:\n%s\nthe resolver makes\n%s", g.file, g.size, n, got.Canonical(), want.Canonical())
				break
			}
		}
	}
}

// Oware asks for more than half of the seeds, whose number depends on the size of the board: the
// family of one size is not that of the rules.
func TestOtherNumbers(t *testing.T) {
	u := unlimited(t, "../../examples/oware.sow", "m")
	got, err := of(t, u, "m", 2).System(3)
	if err != nil {
		t.Fatal(err)
	}
	if string(got.Canonical()) == string(sized(t, u, "m", 3).Canonical()) {
		t.Error("twelve seeds are more than half of 16 and of 24")
	}
}

// Each pit of Sungka has a variable of its own.
func TestVariableOfEachPit(t *testing.T) {
	u := unlimited(t, "../../examples/family/sungka.sow", "m")
	if _, err := of(t, u, "m", 2).System(4); err == nil {
		t.Error("a board of more pits has more variables")
	}
}
