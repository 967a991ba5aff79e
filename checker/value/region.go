package value

import (
	"cmp"
	"slices"

	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/internal/lists"
)

// component is a strongly connected component that is looked at.
type component struct {
	*analysis
	states []uint32
	place  []int32    // by state of the graph: its index in states, from 1 on, or 0 if it is not there
	back   [][]uint32 // by index: those of the states with a step to it, once for each step
}

func newComponent(a *analysis) component {
	return component{analysis: a, place: make([]int32, a.graph.Len())}
}

// enter begins to look at a component.
func (c *component) enter(list []uint32) {
	c.states, c.back = list, make([][]uint32, len(list))
	for k, i := range list {
		c.place[i] = int32(k + 1)
	}
	for _, i := range list {
		for _, j := range c.graph.Of(int(i)) {
			if k := c.place[j]; k > 0 {
				c.back[k-1] = append(c.back[k-1], i)
			}
		}
	}
}

// exit ends what enter has begun.
func (c *component) exit() {
	for _, i := range c.states {
		c.place[i] = 0
	}
}

// before lists the states of the component with a step to one of them.
func (c *component) before(i uint32) []uint32 { return c.back[c.place[i]-1] }

// region finds the values in a component.
type region struct {
	component
	graph.Attractor // of the states whose value is known
	value           []int32
	order           []int32 // by state: when its value became known
	last            int32
	maximizing      bool // the player who forces values is the first one
	exits           []exit
}

// exit is a step out of the component.
type exit struct {
	from  uint32
	value int32
}

func newRegion(a *analysis, value []int32) *region {
	n := a.graph.Len()
	r := &region{component: newComponent(a), value: value, order: make([]int32, n)}
	r.In, r.Left = make([]bool, n), make([]int32, n)
	r.Before = r.before
	r.Mine = func(i uint32) bool { return maximizes(int(r.mover[i])) == r.maximizing }
	return r
}

// know notes the value of a state.
func (r *region) know(i uint32, v int32) {
	r.last++
	r.value[i], r.order[i] = v, r.last
}

// enter begins to look at a component, and lists the steps out of it.
func (r *region) enter(list []uint32) {
	r.component.enter(list)
	r.exits = r.exits[:0]
	for _, i := range list {
		for _, j := range r.graph.Of(int(i)) {
			if r.place[j] == 0 {
				r.exits = append(r.exits, exit{i, r.value[j]})
			}
		}
	}
}

// begin begins to find what a player can force.
func (r *region) begin(maximizing bool) {
	r.maximizing = maximizing
	for _, i := range r.states {
		r.Left[i] = int32(len(r.graph.Of(int(i))))
	}
}

// solve finds the values of the states of a component in which an endless play is worth d.
func (r *region) solve(list []uint32, d int32) {
	r.enter(list)
	for _, maximizing := range []bool{true, false} {
		r.begin(maximizing)
		r.attract(d)
	}
	for _, i := range list {
		if !r.In[i] {
			r.know(i, d)
		}
	}
	r.exit()
}

// attract finds the states in which the player can force a value that is better for that player
// than d, the best ones first. Those of one value are known before a worse one is looked at.
func (r *region) attract(d int32) {
	slices.SortFunc(r.exits, func(e, f exit) int {
		if r.maximizing {
			return cmp.Compare(f.value, e.value)
		}
		return cmp.Compare(e.value, f.value)
	})
	for _, e := range r.exits {
		if e.value == d || e.value > d != r.maximizing {
			break
		}
		r.reach(e)
	}
}

// reach notes that a step leads to a value, and what follows from it.
func (r *region) reach(e exit) {
	if r.Step(e.from) {
		r.know(e.from, e.value)
		r.Grow([]uint32{e.from}, func(i, _ uint32) { r.know(i, e.value) })
	}
}

// vary finds the values of the states of a component in which the score changes. A play that never
// ends may then be worth the scores of all states that it comes back to: the least of them in the
// lower bound, which the first player keeps up, and the greatest in the upper one, which the second
// keeps down. For each number, the best ones first, these are the states from which the player can
// bring play to a state where that is kept, or can stay among states with such scores.
func (r *region) vary(list []uint32, maximizing bool) {
	r.enter(list)
	r.begin(maximizing)
	numbers := lists.Map(list, func(i uint32) int32 { return r.value[i] })
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
				r.reach(e)
			}
		}
		for {
			stay := r.staying(func(w int32) bool { return w == v || w > v == maximizing })
			if len(stay) == 0 {
				break
			}
			r.last++
			for _, i := range stay {
				r.In[i], r.value[i], r.order[i] = true, v, r.last
			}
			for _, i := range stay {
				for _, j := range r.before(i) {
					r.reach(exit{j, v})
				}
			}
		}
	}
	r.exit()
}

// staying lists the states, among those that are not known and have a good score, within which the
// player can keep the play unless the opponent moves to a known one.
func (r *region) staying(good func(score int32) bool) []uint32 {
	in, inside := make([]bool, len(r.states)), make([]int32, len(r.states))
	var list []uint32
	for k, i := range r.states {
		if in[k] = !r.In[i] && good(r.value[i]); in[k] {
			list = append(list, i)
		}
	}
	for _, i := range list {
		for _, j := range r.before(i) {
			inside[r.place[j]-1]++
		}
	}
	for queue := slices.Clone(list); len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		k := r.place[i] - 1
		if !in[k] || r.Mine(i) && inside[k] > 0 || !r.Mine(i) && inside[k] == r.Left[i] {
			continue
		}
		in[k] = false
		for _, j := range r.before(i) {
			inside[r.place[j]-1]--
			queue = append(queue, j)
		}
	}
	return slices.DeleteFunc(list, func(i uint32) bool { return !in[r.place[i]-1] })
}
