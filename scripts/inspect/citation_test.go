package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestCitation: CITATION.cff has what version 1.2.0 of its format requires, with the values that it
// allows, and its version is one that the changelog speaks of.
func TestCitation(t *testing.T) {
	data, err := os.ReadFile("../../CITATION.cff")
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		CFFVersion string `yaml:"cff-version"`
		Message    string
		Title      string
		Type       string
		Abstract   string
		Version    string
		License    string
		Repository string `yaml:"repository-code"`
		Released   string `yaml:"date-released"`
		Authors    []map[string]string
		Keywords   []string
	}
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	d.KnownFields(true)
	if err := d.Decode(&c); err != nil {
		t.Fatal(err)
	}
	if c.CFFVersion != "1.2.0" || c.Message == "" || c.Title != "mancheck" || c.Type != "software" || c.License != "MIT" {
		t.Errorf("a field is missing or wrong: %+v", c)
	}
	if len(c.Authors) == 0 || len(c.Keywords) == 0 {
		t.Errorf("there are no authors or no keywords: %+v", c)
	}
	for _, a := range c.Authors {
		if a["name"] == "" && a["family-names"] == "" {
			t.Errorf("an author without a name: %v", a)
		}
	}
	if c.Released != "" && !regexp.MustCompile(`^\d{4}-\d\d-\d\d$`).MatchString(c.Released) {
		t.Errorf("released on %s", c.Released)
	}
	if !strings.HasPrefix(c.Repository, "https://") {
		t.Errorf("the repository is %s", c.Repository)
	}
	changes, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(c.Version) || !strings.Contains(string(changes), c.Version) {
		t.Errorf("the changelog does not speak of version %q", c.Version)
	}
}
