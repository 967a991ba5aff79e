//go:build !js

package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLicences: the licences of the packages in a bundle are found, and a package without one, or
// with one that is not allowed, fails the build.
func TestLicences(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	module, err := filepath.Abs("web/licences.mjs")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for path, text := range map[string]string{
		"free/package.json":       `{"name": "free", "version": "1.0.0", "license": "MIT"}`,
		"free/LICENSE":            "Do what you like.\n",
		"@a/scoped/package.json":  `{"name": "@a/scoped", "version": "2.0.0", "license": "ISC"}`,
		"@a/scoped/licence.md":    "Do as you please.\n",
		"sold/package.json":       `{"name": "sold", "version": "1.0.0", "license": "SEE LICENSE"}`,
		"sold/LICENSE":            "Pay.\n",
		"wordless/package.json":   `{"name": "wordless", "version": "1.0.0", "license": "MIT"}`,
		"unlicensed/package.json": `{"name": "unlicensed", "version": "1.0.0"}`,
		"unlicensed/LICENSE":      "Hm.\n",
	} {
		path = filepath.Join(dir, "node_modules", path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for packages, want := range map[string]string{
		"free @a/scoped":  "@a/scoped 2.0.0\n===============\nDo as you please.\n\n\nfree 1.0.0\n==========\nDo what you like.\n",
		"free sold":       "sold: the licence SEE LICENSE is not among those that are allowed",
		"free wordless":   "wordless: there is no text of its licence",
		"free unlicensed": "unlicensed: the licence undefined is not",
	} {
		inputs := map[string]any{"src/main.js": nil}
		for _, p := range strings.Fields(packages) {
			inputs["node_modules/"+p+"/dist/index.js"] = nil
			inputs["node_modules/"+p+"/dist/more.js"] = nil
		}
		metafile, err := json.Marshal(map[string]any{"inputs": inputs})
		if err != nil {
			t.Fatal(err)
		}
		script := `import { licences } from "file://` + module + `"; console.log(licences(` + string(metafile) + `, ["MIT", "ISC"]))`
		cmd := exec.Command("node", "--input-type=module", "-e", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if good := packages == "free @a/scoped"; (err == nil) != good || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", packages, err, out)
		}
	}
}
