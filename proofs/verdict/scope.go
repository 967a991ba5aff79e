package verdict

import "github.com/mancheck/mancheck/rules"

// Scope says what a verdict holds for.
type Scope struct {
	Params    []Param
	Unbounded []string // unbounded parameters for all of whose values the verdict holds
}

// Param is a parameter with its value N, which is 0 or 1 for a truth value, or with all values from
// N to Hi, or with all from N up.
type Param struct {
	Name  string
	N, Hi int
	Bool  bool
	All   bool // every value of its range
	Up    bool // the range has no upper end
}

// ScopeOf lists the parameters that a verdict about sys holds for.
func ScopeOf(sys *rules.System) Scope {
	var s Scope
	for _, p := range sys.Params {
		switch {
		case p.Upward:
			s.Params = append(s.Params, Param{Name: p.Name, N: p.Value, Hi: p.Value, All: true, Up: true})
		case p.Open && !p.HasHi:
			s.Unbounded = append(s.Unbounded, p.Name)
		case p.Open:
			s.Params = append(s.Params, Param{Name: p.Name, N: p.Lo, Hi: p.Hi, All: true})
		default:
			s.Params = append(s.Params, ParamOf(p))
		}
	}
	return s
}

// ParamOf is a parameter that has a value.
func ParamOf(p rules.Param) Param {
	return Param{Name: p.Name, N: p.Value, Hi: p.Value, Bool: p.Bool}
}

// Least is the least value of a parameter for which a claim holds.
type Least struct {
	Param string
	Value int
}
