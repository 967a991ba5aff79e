package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// jsonDir is the environment variable with the folder that keeps what is written as JSON.
const jsonDir = "MANCHECK_JSON"

// fit checks what is kept in a folder against the schemas, and removes it.
func fit(t *testing.T, dir string, schemas map[string]*jsonschema.Schema) {
	defer os.RemoveAll(dir)
	kept, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Error(err)
	}
	for _, path := range kept {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		args, err := os.ReadFile(strings.TrimSuffix(path, "json") + "args")
		if err != nil {
			t.Error(err)
		}
		for arg := range strings.FieldsSeq(string(args)) {
			if !strings.HasPrefix(arg, "-") {
				if err := fits(schemas, arg, text); err != nil {
					t.Errorf("the JSON of mancheck %s does not fit its schema: %v", args, err)
				}
				break
			}
		}
	}
}

// fits checks an object against the schema of a command, or else that of diagnostics.
func fits(schemas map[string]*jsonschema.Schema, command string, text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 || text[0] != '{' {
		return nil // it went into a file, or the command line was wrong
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	if command == "replay" {
		command = "trace"
	}
	own := fmt.Errorf("there is none")
	if s := schemas[command+".json"]; s != nil {
		own = s.Validate(v)
	}
	if own == nil || schemas["diagnostics.json"].Validate(v) == nil {
		return nil
	}
	return own
}

// loadSchemas compiles the schemas of a folder, by the names of their files.
func loadSchemas(dir string) (map[string]*jsonschema.Schema, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no schemas in %s: %w", dir, err)
	}
	c, ids := jsonschema.NewCompiler(), map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		id, _ := v.(map[string]any)["$id"].(string)
		if err := c.AddResource(id, v); err != nil {
			return nil, err
		}
		ids[filepath.Base(path)] = id
	}
	schemas := map[string]*jsonschema.Schema{}
	for name, id := range ids {
		if schemas[name], err = c.Compile(id); err != nil {
			return nil, err
		}
	}
	return schemas, nil
}

// TestSchemas: each command with a format json has a schema, which is one, and refuses what is
// another object.
func TestSchemas(t *testing.T) {
	schemas, err := loadSchemas("../../docs/schemas")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		var help bytes.Buffer
		run([]string{c.name, "--help"}, strings.NewReader(""), &help, io.Discard)
		if strings.Contains(help.String(), "--format") && strings.Contains(help.String(), "json") && c.name != "help" && c.name != "explain" && c.name != "replay" && schemas[c.name+".json"] == nil {
			t.Errorf("%s has no schema", c.name)
		}
	}
	other, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"schema": 1, "other": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range schemas {
		if name != "common.json" && s.Validate(other) == nil {
			t.Errorf("%s accepts %v", name, other)
		}
	}
}
