package dsl

import (
	"path/filepath"
	"testing"
)

// BenchmarkParse parses the rules and claims that come with the program.
func BenchmarkParse(b *testing.B) {
	sources := map[string][]byte{}
	bytes := 0
	for _, pattern := range []string{"../examples/*.sow", "../proofs/*.sow", "../proofs/*/*.sow"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			b.Fatal(err)
		}
		for _, path := range files {
			sources[path] = read(b, path)
			bytes += len(sources[path])
		}
	}
	b.SetBytes(int64(bytes))
	for b.Loop() {
		for path, src := range sources {
			if _, diags := Parse(path, src); diags.HasErrors() {
				b.Fatal(diags)
			}
		}
	}
}
