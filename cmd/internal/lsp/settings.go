package lsp

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
)

// Settings are what the client has set, in the section `mancheck` of its configuration.
type Settings struct {
	Solver       string   `json:"solver"`       // as --solver of the command line
	Timeout      duration `json:"timeout"`      // for a decision; 0: the default
	MaxMemory    string   `json:"maxMemory"`    // as --max-memory
	Threads      int      `json:"threads"`      // of a search; 0: one for each processor
	AllowImports []string `json:"allowImports"` // folders that may be imported from, besides the usual ones
	DecideOnSave bool     `json:"decideOnSave"`
	ShowDocument bool     `json:"showDocument"` // show texts by window/showDocument
	Trusted      bool     `json:"-"`            // the workspace is; see trust
}

// duration is a time in JSON: `30s`, or a number of seconds.
type duration time.Duration

// UnmarshalJSON reads a duration.
func (d *duration) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		if s == "" {
			*d = 0
			return nil
		}
		t, err := time.ParseDuration(s)
		*d = duration(max(0, t))
		return err
	}
	var seconds float64
	err := json.Unmarshal(text, &seconds)
	*d = duration(min(max(0, seconds), 1e9) * float64(time.Second)) // at most 30 years
	return err
}

// defaultTimeout bounds a decision that nobody has set a limit for.
const defaultTimeout = 5 * time.Minute

// Limit is the longest time for a decision.
func (s Settings) Limit() time.Duration {
	if s.Timeout == 0 {
		return defaultTimeout
	}
	return time.Duration(s.Timeout)
}

// merged is the settings with those that JSON has, which may stand in the section `mancheck`. One
// that cannot be read keeps its value, and is the error.
func (s Settings) merged(text json.RawMessage) (Settings, error) {
	var sections struct {
		Mancheck json.RawMessage `json:"mancheck"`
	}
	if json.Unmarshal(text, &sections) == nil && len(sections.Mancheck) > 0 {
		text = sections.Mancheck
	}
	var members map[string]json.RawMessage
	if len(text) == 0 || json.Unmarshal(text, &members) != nil {
		return s, nil
	}
	var failed error
	for name, value := range members {
		if string(value) == "null" {
			continue
		}
		next := s
		next.AllowImports = slices.Clone(s.AllowImports)
		one, _ := json.Marshal(map[string]json.RawMessage{name: value})
		if err := json.Unmarshal(one, &next); err != nil {
			failed = err
			continue
		}
		s = next
	}
	return s, failed
}

// trust reports whether JSON has the member `trusted` with the value true. It is asked of what the
// client says of itself, when it starts the server and by `mancheck/trust`, and never of settings,
// which may come from a file of the workspace.
func trust(text json.RawMessage) bool {
	var said map[string]json.RawMessage
	return json.Unmarshal(text, &said) == nil && string(said["trusted"]) == "true"
}

// effective is the settings without those that count only in a workspace that is trusted.
func (s Settings) effective() Settings {
	if !s.Trusted {
		s.Solver, s.AllowImports, s.DecideOnSave, s.ShowDocument = "", nil, false, false
	}
	return s
}

// only lists the folders that imports are read from besides what the usual rule demands; nil: there
// is no other rule. In a workspace that is not trusted these are its folders, and that of a file
// outside of them.
func (w *world) only(file string) []string {
	if w.settings.Trusted {
		return nil
	}
	for _, f := range w.folders {
		if file == f || strings.HasPrefix(file, strings.TrimSuffix(f, "/")+"/") {
			return w.folders
		}
	}
	return append(slices.Clone(w.folders), path.Dir(file))
}
