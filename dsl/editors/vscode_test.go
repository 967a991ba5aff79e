package editors_test

import (
	"archive/zip"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// heard is what the server heard: how it was started, or a message.
type heard struct {
	Args   []string
	Method string
	Params json.RawMessage
}

// shown is a document that was shown, by a command or as it is, or an error.
type shown struct{ Command, URI, Text, Error string }

// TestExtension runs the extension for VS Code with stand-ins for the editor and the server.
func TestExtension(t *testing.T) {
	inTier(t)
	for _, trusted := range []bool{false, true} {
		var got struct {
			Heard []heard
			Shown []shown
		}
		arg := map[bool]string{false: "false", true: "true"}[trusted]
		node(t, nil, &got, "vscode/test.mjs", arg)
		if len(got.Heard) == 0 || !slices.Equal(got.Heard[0].Args, []string{"lsp"}) {
			t.Errorf("the server is started as %+v", got.Heard)
		}
		said := map[string][]string{}
		for _, h := range got.Heard {
			said[h.Method] = append(said[h.Method], string(h.Params))
		}
		var hello struct {
			InitializationOptions map[string]any
		}
		if err := json.Unmarshal([]byte(said["initialize"][0]), &hello); err != nil {
			t.Fatal(err)
		}
		settings := map[string]any{
			"trusted": trusted, "solver": "cvc5", "timeout": "", "maxMemory": "", "threads": 0., "allowImports": []any{}, "decideOnSave": false,
		}
		if d := cmp.Diff(settings, hello.InitializationOptions); d != "" {
			t.Errorf("the server is told (-want +got)\n%s", d)
		}
		asked := []string{
			`{"command":"mancheck.explain","arguments":["file:///game.sow","thesis"]}`,
			`{"command":"mancheck.trace","arguments":["file:///game.sow","thesis"]}`,
			`{"command":"mancheck.decide","arguments":["file:///game.sow","second"]}`,
			`{"command":"mancheck.decideAll","arguments":["file:///game.sow"]}`,
		}
		if d := cmp.Diff(asked, said["workspace/executeCommand"]); d != "" {
			t.Errorf("the server is asked (-want +got)\n%s", d)
		}
		var trust []string
		if !trusted {
			trust = []string{`{"trusted":true}`}
		}
		if d := cmp.Diff(trust, said["mancheck/trust"]); d != "" {
			t.Errorf("trusted %v: the server hears of trust (-want +got)\n%s", trusted, d)
		}
		answers := []shown{
			{Command: "markdown.showPreviewToSide", URI: "mancheck:/thesis explain.md", Text: "**Proved.** thesis"},
			{URI: "mancheck:/thesis trace.txt", Text: "played"},
			{URI: "mancheck:/second decide.txt", Text: "played"},
		}
		if d := cmp.Diff(answers, got.Shown); d != "" {
			t.Errorf("shown are (-want +got)\n%s", d)
		}
	}
}

// TestPacked: the package has what the extension needs, and nothing else.
func TestPacked(t *testing.T) {
	inTier(t)
	paths, err := filepath.Glob("../../bin/mancheck-*.vsix")
	if err != nil || len(paths) != 1 {
		t.Fatalf("the packages are %v: %v", paths, err)
	}
	packed, err := zip.OpenReader(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	var got []string
	for _, f := range packed.File {
		if name, ok := strings.CutPrefix(f.Name, "extension/"); ok {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	want := []string{
		"LICENSE.txt", "dist/LICENSES-npm.txt", "dist/extension.js", "dist/sow.tmLanguage.json", "icon.png", "language-configuration.json", "markdown.tmLanguage.json",
		"package.json", "readme.md",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the package has (-want +got)\n%s", d)
	}
}

// TestExtensionManifest: the palette has the commands of the server, and every setting is
// restricted in a folder that is not trusted but for what is only written down.
func TestExtensionManifest(t *testing.T) {
	var manifest struct {
		Capabilities struct {
			UntrustedWorkspaces struct {
				Supported                string
				RestrictedConfigurations []string
			}
		}
		Contributes struct {
			Languages     []struct{ Extensions []string }
			Commands      []struct{ Command string }
			Configuration struct {
				Properties map[string]struct{ Scope string }
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, "vscode/package.json")), &manifest); err != nil {
		t.Fatal(err)
	}
	has := manifest.Contributes
	if len(has.Languages) != 1 || !slices.Equal(has.Languages[0].Extensions, []string{".sow"}) {
		t.Errorf("the languages are %v", has.Languages)
	}
	var commands []string
	for _, c := range has.Commands {
		commands = append(commands, strings.TrimPrefix(c.Command, "mancheck."))
	}
	if want := []string{"decide", "decideAll", "trace", "explain", "restart"}; !slices.Equal(commands, want) {
		t.Errorf("the commands are %v, and not %v", commands, want)
	}
	properties := has.Configuration.Properties
	if s := properties["mancheck.path"].Scope; s != "machine" {
		t.Errorf("mancheck.path is set for a %s", s)
	}
	delete(properties, "mancheck.trace.server")
	untrusted := manifest.Capabilities.UntrustedWorkspaces
	restricted := slices.Sorted(slices.Values(untrusted.RestrictedConfigurations))
	if d := cmp.Diff(slices.Sorted(maps.Keys(properties)), restricted); d != "" || untrusted.Supported != "limited" {
		t.Errorf("untrusted folders are %s; restricted are (-want +got)\n%s", untrusted.Supported, d)
	}
}
