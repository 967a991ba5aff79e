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

// limited has a tag on each field.
type limited struct {
	Word  string         `json:"word" is:"yes|no"`
	Code  string         `json:"code" is:"/^[a-f]+$/"`
	Few   int            `json:"few,omitempty" is:"1..3"`
	Zero  *int           `json:"zero,omitempty" is:"0.."`
	Rows  [][]int        `json:"rows" is:"-1..1"`
	Pairs [][2]string    `json:"pairs" len:"1.."`
	Any   map[string]any `json:"any,omitempty" is:"0..9"`
	Free  []string       `json:"free"`
	Flag  bool           `json:"flag,omitempty"`
}

// TestLimits: a field holds what its tags say, and nothing that would be left out.
func TestLimits(t *testing.T) {
	const good = `{"word": "no", "code": "abc", "few": 1, "zero": 0, "rows": [[-1, 0], []], "pairs": [["a", "b"]], "any": {"n": 3, "b": false}, "free": null, "flag": true}`
	for _, change := range [][2]string{
		{"", ""},
		{`"no"`, `"maybe"`},
		{`"no"`, `"no\n"`},
		{`"no"`, `null`},
		{`"no"`, `["no"]`},
		{`"abc"`, `"abcx"`},
		{`"abc"`, `"abc\n"`},
		{`"abc"`, `""`},
		{`"few": 1`, `"few": 0`},
		{`"few": 1`, `"few": 4`},
		{`"few": 1`, `"few": 1.0`},
		{`"few": 1`, `"few": 1e0`},
		{`"few": 1`, `"few": null`},
		{`"few": 1`, `"few": ` + strings.Repeat("9", 1_000_000)},
		{`"few": 1`, `"few": true`},
		{`"zero": 0`, `"zero": null`},
		{`"zero": 0`, `"zero": -1`},
		{`-1`, `-2`},
		{`-1`, `"-1"`},
		{`[-1, 0]`, `null`},
		{`[[-1, 0], []]`, `null`},
		{`["a", "b"]`, `["a"]`},
		{`["a", "b"]`, `["a", "b", "c"]`},
		{`[["a", "b"]]`, `[]`},
		{`[["a", "b"]]`, `null`},
		{`3`, `10`},
		{`3`, `"3"`},
		{`3`, `[3]`},
		{`3`, `null`},
		{`3`, `3.5`},
		{`{"n": 3, "b": false}`, `{}`},
		{`"flag": true`, `"flag": false`},
		{`"flag": true`, `"flag": null`},
		{`"free": null`, `"free": [null]`},
	} {
		var v limited
		text := strings.Replace(good, change[0], change[1], 1)
		err := strictjson.Unmarshal([]byte(text), &v)
		if (err == nil) != (text == good) {
			t.Errorf("%.60q for %s: %v", change[1], change[0], err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("%.60q: an error of %d bytes", change[1], len(err.Error()))
		}
	}
}

// TestUnmarshalWith: one more member must be there, once, and only in the outermost object.
func TestUnmarshalWith(t *testing.T) {
	for text, good := range map[string]bool{
		`{"tag": 1, "name": "x", "list": [{"n": 1}]}`: true,
		`{"name": "x"}`:                                         false,
		`{"tag": 1, "tag": 1, "name": "x"}`:                     false,
		`{"Tag": 1, "name": "x"}`:                               false,
		`{"tag": 1, "name": "x", "list": [{"n": 1, "tag": 1}]}`: false,
	} {
		var v outer
		if err := strictjson.UnmarshalWith("tag", []byte(text), &v); (err == nil) != good {
			t.Errorf("%s: %v", text, err)
		}
	}
}
