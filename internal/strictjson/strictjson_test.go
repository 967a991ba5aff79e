package strictjson_test

import (
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/strictjson"
)

type inner struct {
	N int `json:"n"`
}

type outer struct {
	Name  string         `json:"name"`
	List  []inner        `json:"list,omitempty"`
	Any   map[string]any `json:"any,omitempty"`
	Maybe *inner         `json:"maybe,omitempty"`
}

func TestUnmarshal(t *testing.T) {
	for text, good := range map[string]bool{
		`{"name": "x", "list": [{"n": 1}, {"n": -2}], "any": {"a": 1, "A": true}, "maybe": {"n": 3}}`: true,
		`{"name": "x"}  `:                            true,
		`{"list": []}`:                               false, // a field is missing
		`{"NAME": "x"}`:                              false,
		`{"name": "x", "Name": "y"}`:                 false,
		`{"name": "x", "name": "x"}`:                 false,
		`{"name": "x", "n\u0061me": "x"}`:            false,
		`{"name": "x", "more": 1}`:                   false,
		`{"name": "x"} {}`:                           false,
		`{"name": "x"`:                               false,
		`{"name": 1}`:                                false,
		`{"name": "x", "list": [{}]}`:                false,
		`{"name": "x", "list": [{"n": 1.5}]}`:        false,
		`{"name": "x", "list": [{"n": 1e99}]}`:       false,
		`{"name": "x", "list": [{"N": 1}]}`:          false,
		`{"name": "x", "any": {"a": 1, "a": 1}}`:     false,
		`{"name": "x", "any": {"a": {"b":1,"b":2}}}`: false,
		`{"name": "x", "maybe": {"n": 3, "n": 4}}`:   false,
		"{\"name\": \"\xff\"}":                       false,
		`{"name": "x", "any": {"a": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}}`: false,
	} {
		var v outer
		if err := strictjson.Unmarshal([]byte(text), &v); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestEmbedded: an embedded struct adds its fields.
func TestEmbedded(t *testing.T) {
	for text, good := range map[string]bool{
		`{"n": 1, "name": "x"}`:            true,
		`{"name": "x"}`:                    false,
		`{"inner": {"n": 1}, "name": "x"}`: false,
		`{"n": 1, "name": "x", "N": 1}`:    false,
	} {
		var v struct {
			inner
			Name string `json:"name"`
		}
		if err := strictjson.Unmarshal([]byte(text), &v); (err == nil) != good || good && v.N != 1 {
			t.Errorf("%s: %v, %+v", text, err, v)
		}
	}
}

// own reads itself.
type own struct{ names []string }

func (o *own) UnmarshalJSON(data []byte) error {
	var members map[string]int
	if err := strictjson.Unmarshal(data, &members); err != nil {
		return err
	}
	for name := range members {
		o.names = append(o.names, name)
	}
	return nil
}

// TestOwn: a type that reads itself knows its names, and names still stand once.
func TestOwn(t *testing.T) {
	var v struct{ Has own }
	if err := strictjson.Unmarshal([]byte(`{"Has": {"any": 1}}`), &v); err != nil || len(v.Has.names) != 1 || v.Has.names[0] != "any" {
		t.Errorf("%v, %v", v, err)
	}
	if err := strictjson.Unmarshal([]byte(`{"Has": {"any": 1, "any": 2}}`), &v); err == nil {
		t.Error("a name stands twice")
	}
}
