package board

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// ReadTrace reads a play of sys written by TraceJSON. It is strict: missing, unknown or repeated
// members are errors, and so is the hash of another System. It does not check that the moves are
// legal; see interp.Replay.
func ReadTrace(sys *rules.System, data []byte) (*rules.Trace, error) {
	head, m, err := readHead(data)
	if err != nil {
		return nil, err
	}
	if err := head.fits(sys); err != nil {
		return nil, err
	}
	t := &rules.Trace{System: sys, Claim: head.Claim, Seed: head.Seed}
	if t.Start, err = ReadState(sys, m["start"]); err != nil {
		return nil, fmt.Errorf("trace: start: %w", err)
	}
	var steps []json.RawMessage
	if err := decode(m["steps"], "steps", &steps); err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	for i, raw := range steps {
		st, err := readStep(sys, raw)
		if err != nil {
			return nil, fmt.Errorf("trace: step %d: %w", i+1, err)
		}
		t.Steps = append(t.Steps, st)
	}
	return t, nil
}

// Head is the head of a trace, which is enough to find the System it belongs to. Params has values
// in the form that `-p` takes, without open parameters.
type Head struct {
	Variant, SystemHash, Claim string
	Seed                       *uint64 // of random numbers, if the play was made with some
	Params                     map[string]string
}

// ReadHead reads the head of a trace.
func ReadHead(data []byte) (Head, error) {
	h, _, err := readHead(data)
	return h, err
}

func readHead(data []byte) (Head, members, error) {
	h := Head{Params: map[string]string{}}
	m, err := readObject(data)
	if err != nil {
		return h, nil, fmt.Errorf("trace: %w", err)
	}
	// Traces that the program writes as whole documents have a schema; those inside other documents
	// have none.
	if raw, ok := m["schema"]; ok && string(raw) != "1" {
		return h, nil, fmt.Errorf("trace: schema %s is not known; this program reads schema 1", raw)
	}
	delete(m, "schema")
	if raw, ok := m["seed"]; ok {
		h.Seed = new(uint64)
		if err := decode(raw, "seed", h.Seed); err != nil {
			return h, nil, fmt.Errorf("trace: %w", err)
		}
		delete(m, "seed")
	}
	err = m.exactly("variant", "params", "systemHash", "claim", "start", "steps")
	if err == nil {
		err = cmp.Or(decode(m["variant"], "variant", &h.Variant), decode(m["systemHash"], "systemHash", &h.SystemHash),
			decode(m["claim"], "claim", &h.Claim), h.readParams(m["params"]))
	}
	if err != nil {
		return h, nil, fmt.Errorf("trace: %w", err)
	}
	return h, m, nil
}

func (h *Head) readParams(data json.RawMessage) error {
	params, err := readObject(data)
	if err != nil {
		return fmt.Errorf("params: %w", err)
	}
	for name, raw := range params {
		if string(raw) != "null" {
			h.Params[name] = string(raw)
		}
	}
	return nil
}

// fits returns an error unless the trace belongs to sys.
func (h *Head) fits(sys *rules.System) error {
	if h.Variant != sys.Name {
		return fmt.Errorf("trace: it is of the variant `%s`, not of `%s`", h.Variant, sys.Name)
	}
	if hash := sys.Hash(); h.SystemHash != hash {
		return fmt.Errorf("trace: it was made with other rules or parameters of `%s`, or by another version of mancheck: system hash %.12s…, here %.12s…",
			sys.Name, h.SystemHash, hash)
	}
	return nil
}

func readStep(sys *rules.System, data []byte) (st rules.TraceStep, err error) {
	m, err := readObject(data)
	if err != nil {
		return st, err
	}
	if err := m.exactly("move", "label", "state"); err != nil {
		return st, err
	}
	if err := cmp.Or(decode(m["move"], "move", &st.Move), decode(m["label"], "label", &st.Label)); err != nil {
		return st, err
	}
	st.State, err = ReadState(sys, m["state"])
	return st, err
}

// ReadState reads a state written by StateJSON. It is as strict as ReadTrace.
func ReadState(sys *rules.System, data []byte) (rules.State, error) {
	s := sys.EmptyStart()
	m, err := readObject(data)
	if err != nil {
		return s, err
	}
	if err := m.exactly("pits", "control"); err != nil {
		return s, err
	}
	return s, cmp.Or(readPits(sys, m["pits"], &s), readControl(sys, m["control"], &s))
}

// readPits reads the seeds of all pits.
func readPits(sys *rules.System, data []byte, s *rules.State) error {
	m, err := readObject(data)
	if err != nil {
		return fmt.Errorf("pits: %w", err)
	}
	var names []string
	for _, p := range sys.Pits {
		names = append(names, p.Name)
	}
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
func readControl(sys *rules.System, data []byte, s *rules.State) error {
	m, err := readObject(data)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	names := varNames(sys)
	for i := range sys.Vars {
		if sys.Vars[i].Ghost {
			names = append(names, sys.Vars[i].Name)
		}
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
		if err := decode(raw, "outcome", &label); err != nil {
			return err
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
		domain = domain[:0]
		for p := range sys.Players {
			domain = append(domain, p)
		}
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

// decode unmarshals a member, which must not be null.
func decode(data json.RawMessage, name string, to any) error {
	if err := json.Unmarshal(data, to); err != nil || string(data) == "null" {
		return fmt.Errorf("`%s` is malformed", name)
	}
	return nil
}

// members has the members of a JSON object by name.
type members map[string]json.RawMessage

// readObject reads a JSON object with nothing after it. A repeated member is an error, which
// encoding/json alone would not report.
func readObject(data []byte) (members, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("a JSON object is expected")
	}
	m := members{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		if _, twice := m[name.(string)]; twice {
			return nil, fmt.Errorf("`%s` is given twice", name)
		}
		m[name.(string)] = raw
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is something after the end of the JSON object")
	}
	return m, nil
}

// exactly returns an error unless the members are those with these names.
func (m members) exactly(names ...string) error {
	var missing, unknown []string
	for _, n := range names {
		if _, ok := m[n]; !ok {
			missing = append(missing, "`"+n+"`")
		}
	}
	for n := range m {
		if !slices.Contains(names, n) {
			unknown = append(unknown, "`"+n+"`")
		}
	}
	slices.Sort(unknown)
	switch {
	case len(unknown) > 0:
		return fmt.Errorf("unknown %s", strings.Join(unknown, ", "))
	case len(missing) > 0:
		return fmt.Errorf("%s missing", strings.Join(missing, ", "))
	}
	return nil
}
