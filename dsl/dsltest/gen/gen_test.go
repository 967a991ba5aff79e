package gen_test

import (
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/rules/build"
)

// TestSound: most files are without mistakes, and so are most claims; some are not.
func TestSound(t *testing.T) {
	const files = 300
	good, claims, sound := 0, 0, 0
	for seed := range uint64(files) {
		f := gen.New(seed)
		program, diags := dsl.Load("root.sow", func(path string) ([]byte, error) {
			if path == "root.sow" {
				return []byte(f.Text), nil
			}
			return []byte(f.Parts[path]), nil
		})
		unit, more := build.Collect(program.Files)
		if diags.HasErrors() || more.HasErrors() {
			continue
		}
		good++
		for _, c := range unit.Claims {
			claim, diags := unit.Claim(c)
			claim.Instances(nil, &diags)
			if claims++; !diags.HasErrors() {
				sound++
			}
		}
	}
	t.Logf("%d of %d files, %d of %d claims", good, files, sound, claims)
	if good < files*85/100 || good == files || sound < claims*70/100 || sound == claims {
		t.Errorf("%d of %d files and %d of %d claims are without mistakes", good, files, sound, claims)
	}
}

// TestSame: a seed gives the same file each time, and another seed another.
func TestSame(t *testing.T) {
	if a, b := gen.New(7).Whole(), gen.New(7).Whole(); a != b {
		t.Errorf("%s\ndiffers from\n%s", a, b)
	}
	if gen.New(7).Whole() == gen.New(8).Whole() {
		t.Error("two seeds give the same file")
	}
}

// TestBytes: any bytes make a file.
func TestBytes(t *testing.T) {
	for _, data := range []string{"", "\x00\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff", "sowing"} {
		if f := gen.From(gen.NewBytes([]byte(data))); f.Text == "" {
			t.Errorf("no file for %q", data)
		}
	}
}
