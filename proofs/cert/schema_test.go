package cert

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSchema: the published schema says what the types and their tags say, which Read applies.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("../../docs/certificate.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var published map[string]any
	if err := json.Unmarshal(text, &published); err != nil {
		t.Fatal(err)
	}
	defs := published["$defs"].(map[string]any)
	for _, key := range []string{"$schema", "$id", "title", "$defs"} {
		delete(published, key)
	}
	if d := cmp.Diff(schemaOf(reflect.TypeFor[Certificate](), "", true), inlined(published, defs)); d != "" {
		t.Errorf("the schema differs:\n%s", d)
	}
	got := map[string]any{}
	for _, of := range defs["evidence"].(map[string]any)["oneOf"].([]any) {
		of := inlined(of, defs).(map[string]any)
		got[of["properties"].(map[string]any)["kind"].(map[string]any)["const"].(string)] = of
	}
	want := map[string]any{}
	for name, e := range kinds {
		of := schemaOf(reflect.TypeOf(e).Elem(), "", true)
		of["properties"].(map[string]any)["kind"] = map[string]any{"const": name}
		required, _ := of["required"].([]any)
		of["required"] = sorted(append(required, "kind"))
		want[name] = of
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the schema of evidence differs:\n%s", d)
	}
}

func sorted(list []any) []any {
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return list
}

// inlined returns a part of the schema without descriptions, and with what is defined elsewhere in
// its place. Evidence may be in evidence, so its name stays.
func inlined(x any, defs map[string]any) any {
	switch x := x.(type) {
	case []any:
		var out []any
		for _, y := range x {
			out = append(out, inlined(y, defs))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for key, y := range x {
			switch text, is := y.(string); {
			case key == "$ref" && text != "#/$defs/evidence":
				for k, z := range inlined(defs[strings.TrimPrefix(text, "#/$defs/")], defs).(map[string]any) {
					out[k] = z
				}
			case key == "description" && is, key == "contentEncoding":
			case key == "required":
				out[key] = sorted(slices.Clone(y.([]any)))
			default:
				out[key] = inlined(y, defs)
			}
		}
		return out
	}
	return x
}

var ranged = regexp.MustCompile(`^(-?[0-9]+)\.\.(-?[0-9]*)$`)

// schemaOf returns the schema of a type, in a field with a tag.
func schemaOf(of reflect.Type, tag reflect.StructTag, required bool) map[string]any {
	is, out := tag.Get("is"), map[string]any{}
	least := tag.Get("len") == "1.." || !required
	switch of.Kind() {
	case reflect.Pointer:
		return schemaOf(of.Elem(), tag, true)
	case reflect.Bool:
		return map[string]any{"const": true} // false is left out
	case reflect.Int:
		out["type"] = "integer"
		limited(out, is)
	case reflect.Interface:
		out["type"] = []any{"integer", "boolean"}
		limited(out, is)
	case reflect.String:
		words := strings.Split(is, "|")
		switch {
		case strings.HasPrefix(is, "/"):
			out["type"], out["pattern"] = "string", is[1:len(is)-1]
		case is != "" && len(words) == 1:
			return map[string]any{"const": is}
		case is != "":
			var all []any
			for _, w := range words {
				all = append(all, w)
			}
			return map[string]any{"enum": all}
		default:
			out["type"] = "string"
			if !required {
				out["minLength"] = 1.
			}
		}
	case reflect.Slice, reflect.Array:
		out["type"], out["items"] = "array", schemaOf(of.Elem(), reflect.StructTag(`is:"`+strings.ReplaceAll(is, `\`, `\\`)+`"`), true)
		if of.Kind() == reflect.Array {
			out["minItems"], out["maxItems"] = float64(of.Len()), float64(of.Len())
		} else if least {
			out["minItems"] = 1.
		}
	case reflect.Map:
		out["type"], out["additionalProperties"] = "object", schemaOf(of.Elem(), tag, true)
		if least {
			out["minProperties"] = 1.
		}
	case reflect.Struct:
		if of == reflect.TypeFor[Box]() {
			return map[string]any{"$ref": "#/$defs/evidence"}
		}
		members, names := map[string]any{}, []any{}
		for _, f := range reflect.VisibleFields(of) {
			name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous {
				continue
			}
			if members[name] = schemaOf(f.Type, f.Tag, opts == ""); opts == "" {
				names = append(names, name)
			}
		}
		out["type"], out["additionalProperties"], out["properties"], out["required"] = "object", false, members, sorted(names)
	default:
		panic(of)
	}
	return out
}

// limited adds the limits of a tag.
func limited(out map[string]any, is string) {
	m := ranged.FindStringSubmatch(is)
	if m == nil {
		return
	}
	if m[1] == m[2] {
		clear(out)
		out["const"] = number(m[1])
		return
	}
	out["minimum"] = number(m[1])
	if m[2] != "" {
		out["maximum"] = number(m[2])
	}
}

func number(text string) float64 {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return n
}
