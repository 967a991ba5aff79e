package dsl

import (
	"fmt"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"testing"
)

func TestZ(t *testing.T) {
	hist := map[int]int{}
	for _, f := range glob(t, "testdata/ok/*.sow") {
		src := read(t, f)
		toks := scan.File(f, src).Tokens
		for _, tk := range toks {
			if tk.EOF() {
				continue
			}
			for _, with := range []string{"", " param ", " ] ", " } ", " { ", " foo "} {
				mut := append([]byte{}, src[:tk.Pos.Offset]...)
				mut = append(mut, with...)
				rest := src[tk.Pos.Offset:]
				if with == "" {
					rest = src[scan.End(tk).Offset:]
				}
				mut = append(mut, rest...)
				_, d := Parse(f, mut)
				hist[len(d)]++
				if len(d) > 1 {
					fmt.Printf("%s:%d:%d %q before %q: %d\n", f, tk.Pos.Line, tk.Pos.Column, with, tk.Value, len(d))
					for _, x := range d {
						fmt.Println("     ", x, x.Help)
					}
				}
			}
		}
	}
	fmt.Println(hist)
}
