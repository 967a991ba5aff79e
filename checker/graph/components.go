package graph

// Components calls f for each strongly connected component, in an order in which no step leads to a
// later one, until f fails. The list of its states is valid until f returns. It is Tarjan's
// algorithm (SIAM Journal on Computing 1, 1972) without recursion.
func Components(states int, of Successors, f func(list []uint32) error) error {
	c := &components{of: of, index: make([]uint32, states)}
	for i := range c.index {
		if c.index[i] != 0 {
			continue
		}
		c.enter(uint32(i))
		for len(c.path) > 0 {
			if c.advance() {
				continue
			}
			if err := c.leave(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// components is a search for components.
type components struct {
	of      Successors
	index   []uint32 // by state: 0 not visited, done, or the order in which it was visited, from 1 on
	entered uint32
	stack   []uint32 // states that are in no component yet
	path    []entered
}

// entered is a state on the path with the number of its steps taken.
type entered struct {
	state uint32
	taken uint32
	low   uint32 // the least index on the stack that a step from here or from behind here leads to
}

const done = 1<<32 - 1

func (c *components) enter(i uint32) {
	c.entered++
	c.index[i] = c.entered
	c.stack = append(c.stack, i)
	c.path = append(c.path, entered{state: i, low: c.entered})
}

// advance takes the next step of the last state on the path; false says that there is none left.
func (c *components) advance() bool {
	v := &c.path[len(c.path)-1]
	to := c.of(int(v.state))
	for int(v.taken) < len(to) {
		j := to[v.taken]
		v.taken++
		if c.index[j] == 0 {
			c.enter(j)
			return true
		}
		if c.index[j] != done {
			v.low = min(v.low, c.index[j])
		}
	}
	return false
}

// leave takes the last state off the path. If no step leads from it and those behind it to an
// earlier state, they are a component.
func (c *components) leave(f func([]uint32) error) error {
	v := c.path[len(c.path)-1]
	c.path = c.path[:len(c.path)-1]
	if n := len(c.path); n > 0 {
		c.path[n-1].low = min(c.path[n-1].low, v.low)
	}
	if v.low != c.index[v.state] {
		return nil
	}
	at := len(c.stack) - 1
	for c.stack[at] != v.state {
		at--
	}
	list := c.stack[at:]
	for _, i := range list {
		c.index[i] = done
	}
	c.stack = c.stack[:at]
	return f(list)
}
