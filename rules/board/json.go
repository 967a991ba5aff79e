package board

import (
	"encoding/json"

	"github.com/mancheck/mancheck/rules"
)

// Object is a JSON object whose members keep their order.
type Object []Member

// Member is one member of an Object.
type Member struct {
	Name  string
	Value any
}

// With returns the object with another member.
func (o Object) With(name string, value any) Object { return append(o, Member{name, value}) }

// If returns the object with another member where a condition holds.
func (o Object) If(is bool, name string, value any) Object {
	if is {
		return o.With(name, value)
	}
	return o
}

// MarshalJSON writes the members in their order.
func (o Object) MarshalJSON() ([]byte, error) {
	out := []byte("{")
	for i, m := range o {
		if i > 0 {
			out = append(out, ',')
		}
		name, err := json.Marshal(m.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.Value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // only plain values and RawMessages built here are marshalled
	}
	return data
}

// StateJSON writes a state as {"pits": {NAME: n}, "control": {NAME: value}}, with pits and
// variables in order of declaration. With several players, control has a last member `mover`, their
// name or none. In a finished state it also has `outcome`, the name of the outcome.
func StateJSON(sys *rules.System, s rules.State) json.RawMessage {
	var pits, control Object
	for i, p := range sys.Pits {
		pits = pits.With(p.Name, s.Seeds[i])
	}
	for i := range sys.Vars {
		control = control.With(sys.Vars[i].Name, Value(sys, &sys.Vars[i], s.Vars[i]))
	}
	if len(sys.Players) > 1 {
		control = control.With("mover", Value(sys, &rules.Var{Type: rules.PlayerType}, s.Mover))
	}
	if !s.Live() {
		control = control.With("outcome", sys.OutcomeName(s.Outcome))
	}
	return marshal(Object{{"pits", pits}, {"control", control}})
}

// Value returns a variable's value for JSON: numbers and truth values as such, and other values by
// their names, as in --state.
func Value(sys *rules.System, x *rules.Var, v int) any {
	switch {
	case x.Type == rules.NumberType:
		return v
	case x.Type == rules.TruthType:
		return v != 0
	}
	return sys.ValueName(x.Type, v)
}

// TraceJSON writes a play on one line. Open parameters are null.
func TraceJSON(sys *rules.System, t *rules.Trace) json.RawMessage {
	steps := []Object{}
	for _, st := range t.Steps {
		steps = append(steps, Object{{"move", st.Move}, {"label", st.Label}, {"state", StateJSON(sys, st.State)}})
	}
	trace := Object{{"variant", sys.Name}, {"params", ParamsJSON(sys)}, {"systemHash", sys.Hash()}, {"claim", t.Claim}}
	if t.Seed != nil {
		trace = trace.With("seed", *t.Seed)
	}
	return marshal(trace.With("start", StateJSON(sys, t.Start)).With("steps", steps))
}

// ParamsJSON writes the parameters in order of declaration. Open ones are null.
func ParamsJSON(sys *rules.System) json.RawMessage {
	var params Object
	for _, p := range sys.Params {
		switch {
		case p.Open:
			params = params.With(p.Name, nil)
		case p.Bool:
			params = params.With(p.Name, p.Value != 0)
		default:
			params = params.With(p.Name, p.Value)
		}
	}
	return marshal(params)
}
