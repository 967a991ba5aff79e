package value

import (
	"cmp"
	"slices"
)

// region finds the values in a component. Its states are called by their index in the component.
type region struct {
	*analysis
	value []int32
	order []int32 // by state: when its value became known
	last  int32
	place []int32 // by state of the graph: its index, from 1 on, or 0 if it is not in the component
	list  []uint32
	known []bool  // the value is known
	open  []int32 // the steps that are not known to lead to a value good for the other player
	back  [][]int32
	exits []exit
}

// exit is a step out of the component.
type exit struct {
	from  int32
	value int32
}

func newRegion(a *analysis, value []int32) *region {
	n := a.graph.Len()
	return &region{analysis: a, value: value, order: make([]int32, n), place: make([]int32, n)}
}

// know notes the value of a state.
func (r *region) know(i uint32, v int32) {
	r.last++
	r.value[i], r.order[i] = v, r.last
}

// solve finds the values of the states of a component in which an endless play is worth d.
func (r *region) solve(list []uint32, d int32) {
	r.enter(list)
	for _, maximizing := range []bool{true, false} {
		r.attract(maximizing, d)
	}
	for k, i := range list {
		if !r.known[k] {
			r.know(i, d)
		}
		r.place[i] = 0
	}
}

// enter lists the steps of a component.
func (r *region) enter(list []uint32) {
	r.list, r.exits = list, r.exits[:0]
	r.known, r.open, r.back = make([]bool, len(list)), make([]int32, len(list)), make([][]int32, len(list))
	for k, i := range list {
		r.place[i] = int32(k + 1)
	}
	for k, i := range list {
		for _, j := range r.graph.Of(int(i)) {
			if to := r.place[j]; to > 0 {
				r.back[to-1] = append(r.back[to-1], int32(k))
			} else {
				r.exits = append(r.exits, exit{int32(k), r.value[j]})
			}
		}
	}
}

// attract finds the states in which one player can force a value that is better for that player
// than d, the best ones first. Those of one value are known before a worse one is looked at.
func (r *region) attract(maximizing bool, d int32) {
	for k, i := range r.list {
		r.open[k] = int32(len(r.graph.Of(int(i))))
	}
	better := func(v, w int32) bool { return v != w && v > w == maximizing }
	slices.SortFunc(r.exits, func(e, f exit) int {
		if maximizing {
			return cmp.Compare(f.value, e.value)
		}
		return cmp.Compare(e.value, f.value)
	})
	for _, e := range r.exits {
		if !better(e.value, d) {
			break
		}
		r.reach(e, maximizing)
	}
}

// reach notes that a step leads to a value, and what follows from it.
func (r *region) reach(e exit, maximizing bool) {
	queue := []int32{e.from}
	for ; len(queue) > 0; queue = queue[1:] {
		k := queue[0]
		if r.known[k] {
			continue
		}
		i := r.list[k]
		if r.open[k]--; maximizes(int(r.mover[i])) != maximizing && r.open[k] > 0 {
			continue
		}
		r.known[k] = true
		r.know(i, e.value)
		queue = append(queue, r.back[k]...)
	}
}

// vary finds the values of the states of a component in which the score changes. A play that never
// ends may then be worth the scores of all states that it comes back to: the least of them in the
// lower bound, which the first player keeps up, and the greatest in the upper one, which the second
// keeps down. For each number, the best ones first, these are the states from which the player can
// bring play to a state where that is kept, or can stay among states with such scores.
func (r *region) vary(list []uint32, maximizing bool) {
	r.enter(list)
	worse := func(v, w int32) bool { return v != w && v < w == maximizing }
	var numbers []int32
	for k, i := range list {
		r.open[k] = int32(len(r.graph.Of(int(i))))
		numbers = append(numbers, r.stand[i])
	}
	for _, e := range r.exits {
		numbers = append(numbers, e.value)
	}
	slices.Sort(numbers)
	if numbers = slices.Compact(numbers); maximizing {
		slices.Reverse(numbers)
	}
	for _, v := range numbers {
		for _, e := range r.exits {
			if e.value == v {
				r.reach(e, maximizing)
			}
		}
		for {
			stay := r.staying(maximizing, func(k int32) bool { return !worse(r.stand[r.list[k]], v) })
			if len(stay) == 0 {
				break
			}
			r.last++
			for _, k := range stay {
				r.known[k], r.value[r.list[k]], r.order[r.list[k]] = true, v, r.last
			}
			for _, k := range stay {
				for _, before := range r.back[k] {
					r.reach(exit{before, v}, maximizing)
				}
			}
		}
	}
	for _, i := range list {
		r.place[i] = 0
	}
}

// staying lists the states, among those that are good and not known, within which the player can
// keep the play unless the opponent moves to a known one.
func (r *region) staying(maximizing bool, good func(k int32) bool) []int32 {
	in, inside := make([]bool, len(r.list)), make([]int32, len(r.list))
	var list []int32
	for k := range in {
		if in[k] = !r.known[k] && good(int32(k)); in[k] {
			list = append(list, int32(k))
		}
	}
	for _, k := range list {
		for _, before := range r.back[k] {
			inside[before]++
		}
	}
	stays := func(k int32) bool {
		if maximizes(int(r.mover[r.list[k]])) == maximizing {
			return inside[k] > 0
		}
		return inside[k] == r.open[k]
	}
	for queue := slices.Clone(list); len(queue) > 0; queue = queue[1:] {
		if k := queue[0]; in[k] && !stays(k) {
			in[k] = false
			for _, before := range r.back[k] {
				inside[before]--
				queue = append(queue, before)
			}
		}
	}
	return slices.DeleteFunc(list, func(k int32) bool { return !in[k] })
}
