package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
)

// backCalls counts the pairs of functions in different files of which one calls the other against
// the order of the files.
func (p *folder) backCalls() figure {
	calls := p.callsBetween()
	order := arrange(len(p.files), calls)
	fig := figure{name: "calls back in " + p.dir}
	for c := range calls {
		if order[c.from] > order[c.to] {
			fig.count(fmt.Sprintf("%s: %s -> %s: %s", p.names[c.from], c.caller, p.names[c.to], c.callee), true)
		}
	}
	slices.Sort(fig.where)
	return fig
}

// call is a function that calls one of another file.
type call struct {
	from, to       int // files
	caller, callee string
}

// callsBetween finds the calls between the files of a package.
func (p *folder) callsBetween() map[call]bool {
	file := map[string]int{}
	for i, f := range p.files {
		file[p.fset.Position(f.Package).Filename] = i
	}
	calls := map[call]bool{}
	for i, f := range p.files {
		for _, d := range f.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || fn.Body == nil {
				continue
			}
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				id, is := n.(*ast.Ident)
				if !is {
					return true
				}
				callee, is := p.info.Uses[id].(*types.Func)
				if !is || callee.Pkg() != p.pkg {
					return true
				}
				if to, known := file[p.fset.Position(callee.Pos()).Filename]; known && to != i {
					calls[call{i, to, fn.Name.Name, callee.Name()}] = true
				}
				return true
			})
		}
	}
	return calls
}

// arrange puts files in an order with few calls back: it moves one file at a time to its best place
// until that gains nothing.
func arrange(n int, calls map[call]bool) (place []int) {
	weight := make([][]int, n)
	for i := range weight {
		weight[i] = make([]int, n)
	}
	for c := range calls {
		weight[c.from][c.to]++
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for better := true; better; {
		better = false
		for at := range order {
			f := order[at]
			best, to, gain := 0, at, 0
			for i := at - 1; i >= 0; i-- { // before order[i]
				gain += weight[f][order[i]] - weight[order[i]][f]
				if gain > best {
					best, to = gain, i
				}
			}
			gain = 0
			for i := at + 1; i < n; i++ { // after order[i]
				gain += weight[order[i]][f] - weight[f][order[i]]
				if gain > best {
					best, to = gain, i
				}
			}
			if best > 0 {
				order = slices.Insert(slices.Delete(order, at, at+1), to, f)
				better = true
			}
		}
	}
	place = make([]int, n)
	for i, f := range order {
		place[f] = i
	}
	return place
}
