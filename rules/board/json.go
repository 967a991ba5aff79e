package board

import (
	"bytes"
	"encoding/json"

	"github.com/mancheck/mancheck/rules"
)

// object builds a JSON object whose members keep the order in which they are added.
type object struct{ buf bytes.Buffer }

// add adds a member. It must be possible to marshal the value.
func (o *object) add(name string, value any) {
	between := byte(',')
	if o.buf.Len() == 0 {
		between = '{'
	}
	o.buf.WriteByte(between)
	o.buf.Write(marshal(name))
	o.buf.WriteByte(':')
	o.buf.Write(marshal(value))
}

// raw returns the object, which may have no members.
func (o *object) raw() json.RawMessage {
	if o.buf.Len() == 0 {
		return json.RawMessage("{}")
	}
	return append(bytes.Clone(o.buf.Bytes()), '}')
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
	var pits, control, state object
	for i, p := range sys.Pits {
		pits.add(p.Name, s.Seeds[i])
	}
	for i := range sys.Vars {
		control.add(sys.Vars[i].Name, Value(sys, &sys.Vars[i], s.Vars[i]))
	}
	if len(sys.Players) > 1 {
		control.add("mover", Value(sys, &rules.Var{Type: rules.PlayerType}, s.Mover))
	}
	if !s.Live() {
		control.add("outcome", sys.OutcomeName(s.Outcome))
	}
	state.add("pits", pits.raw())
	state.add("control", control.raw())
	return state.raw()
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
	var trace object
	trace.add("variant", sys.Name)
	trace.add("params", ParamsJSON(sys))
	trace.add("systemHash", sys.Hash())
	trace.add("claim", t.Claim)
	if t.Seed != nil {
		trace.add("seed", *t.Seed)
	}
	trace.add("start", StateJSON(sys, t.Start))
	steps := []json.RawMessage{}
	for _, st := range t.Steps {
		var step object
		step.add("move", st.Move)
		step.add("label", st.Label)
		step.add("state", StateJSON(sys, st.State))
		steps = append(steps, step.raw())
	}
	trace.add("steps", steps)
	return trace.raw()
}

// ParamsJSON writes the parameters in order of declaration. Open ones are null.
func ParamsJSON(sys *rules.System) json.RawMessage {
	var params object
	for _, p := range sys.Params {
		switch {
		case p.Open:
			params.add(p.Name, nil)
		case p.Bool:
			params.add(p.Name, p.Value != 0)
		default:
			params.add(p.Name, p.Value)
		}
	}
	return params.raw()
}
