package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemasDir is the environment variable with the folder of the schemas. Where it is set, what the
// command writes as JSON has to fit the schema of the command, or of diagnostics.
const schemasDir = "MANCHECK_SCHEMAS"

// exitUnfit is the status of a command whose JSON does not fit.
const exitUnfit = 99

// fitting is mancheck, which fails if its JSON does not fit its schema.
func fitting() {
	dir := os.Getenv(schemasDir)
	command := slices.IndexFunc(os.Args[1:], func(arg string) bool { return !strings.HasPrefix(arg, "-") }) + 1
	if dir == "" || command == 0 || !asksForJSON(os.Args[1:]) {
		main()
	}
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	var text bytes.Buffer
	copied, stdout := make(chan error), os.Stdout
	go func() {
		_, err := io.Copy(io.MultiWriter(&text, stdout), r)
		copied <- err
	}()
	code := run(os.Args[1:], os.Stdin, w, os.Stderr)
	w.Close()
	<-copied
	if err := fits(dir, os.Args[command], text.Bytes()); err != nil {
		fmt.Fprintf(os.Stderr, "the JSON of %v does not fit its schema: %v\n", os.Args, err)
		code = exitUnfit
	}
	os.Exit(code)
}

func asksForJSON(args []string) bool {
	at := slices.IndexFunc(args, func(arg string) bool { return arg == "--format=json" || arg == "--format" })
	return at >= 0 && (args[at] == "--format=json" || at+1 < len(args) && args[at+1] == "json")
}

// fits checks an object against the schema of a command, or else that of diagnostics.
func fits(dir, command string, text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 || text[0] != '{' {
		return nil // it went into a file, or the command line was wrong
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	schemas, err := loadSchemas(dir)
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
