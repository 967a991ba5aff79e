package board

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/rules"
)

// The forms in which states and traces are written. Values of parameters, pits and variables are
// read by what the System says of them.
type (
	traceForm struct {
		// Traces that the program writes as whole documents have a schema; those inside other
		// documents have none.
		Schema     json.RawMessage `json:"schema,omitempty"`
		Variant    string          `json:"variant"`
		Params     members         `json:"params"`
		SystemHash string          `json:"systemHash"`
		Claim      string          `json:"claim"`
		Seed       *uint64         `json:"seed,omitempty"` // of random numbers, if the play was made with some
		Start      stateForm       `json:"start"`
		Steps      []stepForm      `json:"steps"`
	}
	stepForm struct {
		Move  string    `json:"move"`
		Label string    `json:"label"`
		State stateForm `json:"state"`
	}
	stateForm struct {
		Pits    members `json:"pits"`
		Control members `json:"control"`
	}
)

// members has the members of a JSON object by name.
type members map[string]json.RawMessage

// ReadTrace reads a play of sys written by TraceJSON. It is strict: missing, unknown or repeated
// members are errors, and so is the hash of another System. It does not check that the moves are
// legal; see interp.Replay.
func ReadTrace(sys *rules.System, data []byte) (*rules.Trace, error) {
	form, err := readTrace(data)
	if err == nil {
		err = form.fits(sys)
	}
	if err != nil {
		return nil, err
	}
	t := &rules.Trace{System: sys, Claim: form.Claim, Seed: form.Seed}
	if t.Start, err = form.Start.read(sys); err != nil {
		return nil, fmt.Errorf("trace: start: %w", err)
	}
	for i, step := range form.Steps {
		st, err := step.State.read(sys)
		if err != nil {
			return nil, fmt.Errorf("trace: step %d: %w", i+1, err)
		}
		t.Steps = append(t.Steps, rules.TraceStep{Move: step.Move, Label: step.Label, State: st})
	}
	return t, nil
}

// Head is the head of a trace, which is enough to find the System it belongs to. Params has values
// in the form that `-p` takes, without open parameters.
type Head struct {
	Variant, SystemHash, Claim string
	Params                     map[string]string
}

// ReadHead reads the head of a trace.
func ReadHead(data []byte) (Head, error) {
	form, err := readTrace(data)
	h := Head{form.Variant, form.SystemHash, form.Claim, map[string]string{}}
	for name, raw := range form.Params {
		if string(raw) != "null" {
			h.Params[name] = string(raw)
		}
	}
	return h, err
}

func readTrace(data []byte) (t traceForm, err error) {
	if err := strictjson.Unmarshal(data, &t); err != nil {
		return t, fmt.Errorf("trace: %w", err)
	}
	if t.Schema != nil && string(t.Schema) != "1" {
		return t, fmt.Errorf("trace: schema %s is not known; this program reads schema 1", t.Schema)
	}
	return t, nil
}

// fits returns an error unless the trace belongs to sys.
func (h *traceForm) fits(sys *rules.System) error {
	if h.Variant != sys.Name {
		return fmt.Errorf("trace: it is of the variant `%s`, not of `%s`", h.Variant, sys.Name)
	}
	if hash := sys.Hash(); h.SystemHash != hash {
		return fmt.Errorf("trace: it was made with other rules or parameters of `%s`, or by another version of mancheck: system hash %.12s…, here %.12s…",
			sys.Name, h.SystemHash, hash)
	}
	return nil
}

// ReadState reads a state written by StateJSON. It is as strict as ReadTrace.
func ReadState(sys *rules.System, data []byte) (rules.State, error) {
	var form stateForm
	if err := strictjson.Unmarshal(data, &form); err != nil {
		return rules.State{}, err
	}
	return form.read(sys)
}

func (f stateForm) read(sys *rules.System) (rules.State, error) {
	s := sys.EmptyStart()
	return s, cmp.Or(readPits(sys, f.Pits, &s), readControl(sys, f.Control, &s))
}

// readPits reads the seeds of all pits.
func readPits(sys *rules.System, m members, s *rules.State) (err error) {
	names := lists.Map(sys.Pits, func(p rules.Pit) string { return p.Name })
	if err := m.exactly(names...); err != nil {
		return fmt.Errorf("pits: %w", err)
	}
	for i, name := range names {
		if s.Seeds[i], err = count(string(m[name])); err != nil {
			return fmt.Errorf("pits: `%s`: %s %w", name, m[name], err)
		}
	}
	if _, ok := num.Sum(s.Seeds); !ok {
		return fmt.Errorf("pits: %w", errMany)
	}
	return nil
}

// readControl reads the variables, ghosts included, and whose turn it is.
func readControl(sys *rules.System, m members, s *rules.State) (err error) {
	names := varNames(sys)
	for _, x := range lists.Filter(sys.Vars, func(x rules.Var) bool { return x.Ghost }) {
		names = append(names, x.Name)
	}
	if _, over := m["outcome"]; over {
		names = append(names, "outcome")
	}
	if err := m.exactly(names...); err != nil {
		return fmt.Errorf("control: %w", err)
	}
	for i := range sys.Vars {
		x := &sys.Vars[i]
		if s.Vars[i], err = readValue(sys, x, m[x.Name]); err != nil {
			return fmt.Errorf("control: %w", err)
		}
	}
	return readTurn(sys, m, s)
}

// readTurn reads the player to move and the outcome. In a finished game nobody is to move.
func readTurn(sys *rules.System, m members, s *rules.State) error {
	if raw, over := m["outcome"]; over {
		var label string
		if json.Unmarshal(raw, &label) != nil {
			return errors.New("control: `outcome` is malformed")
		}
		if s.Outcome = sys.OutcomeNamed(label); s.Outcome < 0 {
			return fmt.Errorf("control: `%s` has no outcome `%s`", sys.Name, label)
		}
		s.Mover = rules.None
	}
	if len(sys.Players) < 2 {
		return nil
	}
	domain := []int{rules.None}
	if s.Live() {
		domain = num.Run(0, len(sys.Players))
	}
	var err error
	s.Mover, err = readValue(sys, &rules.Var{Name: "mover", Type: rules.PlayerType, Domain: domain}, m["mover"])
	return err
}

// readValue finds the value in the domain that is written as data.
func readValue(sys *rules.System, x *rules.Var, data json.RawMessage) (int, error) {
	for _, v := range x.Domain {
		if bytes.Equal(marshal(Value(sys, x, v)), canonical(data)) {
			return v, nil
		}
	}
	return 0, fmt.Errorf("%s is not a value of `%s`", data, x.Name)
}

// canonical returns data without optional escapes in strings.
func canonical(data json.RawMessage) []byte {
	var s string
	if json.Unmarshal(data, &s) == nil && len(data) > 0 && data[0] == '"' {
		return marshal(s)
	}
	return data
}

// exactly returns an error unless the members are those with these names.
func (m members) exactly(names ...string) error {
	has := slices.Sorted(maps.Keys(m))
	quoted := func(list, without []string) string {
		only := lists.Filter(list, func(n string) bool { return !slices.Contains(without, n) })
		return strings.Join(lists.Map(only, func(n string) string { return "`" + n + "`" }), ", ")
	}
	if unknown := quoted(has, names); unknown != "" {
		return fmt.Errorf("unknown %s", unknown)
	}
	if missing := quoted(names, has); missing != "" {
		return fmt.Errorf("%s missing", missing)
	}
	return nil
}
