package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/scripts/internal/shipped"
)

// TestReadme: the picture in the repository is the one that the program draws.
func TestReadme(t *testing.T) {
	list, err := shipped.Games("../..")
	if err != nil {
		t.Fatal(err)
	}
	want, err := readme(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/board.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/board.svg is out of date: go run ./scripts/gallery docs/board.svg")
	}
}

// TestGallery: each game of the family has a picture of its board, and says where it was found.
func TestGallery(t *testing.T) {
	dir := t.TempDir()
	if err := write(t.Context(), "../..", dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "games.json"))
	if err != nil {
		t.Fatal(err)
	}
	var games []Game
	if err := json.Unmarshal(text, &games); err != nil {
		t.Fatal(err)
	}
	family := 0
	for _, g := range games {
		if g.Family {
			family++
			if g.Source == "" {
				t.Errorf("%s has no source", g.Name)
			}
		}
		if g.About == "" || strings.Contains(g.About, "Source:") {
			t.Errorf("about %s: %q", g.Name, g.About)
		}
		svg, err := os.ReadFile(filepath.Join(dir, g.ID+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		if holes := elements(t, g.ID, svg, "hole"); holes < 4 {
			t.Errorf("%s has %d holes", g.Name, holes)
		}
		if seeds := elements(t, g.ID, svg, "seeds") + elements(t, g.ID, svg, "many"); seeds == 0 {
			t.Errorf("%s has no seeds", g.Name)
		}
	}
	paths, err := filepath.Glob("../../examples/family/*.sow")
	if err != nil {
		t.Fatal(err)
	}
	variants := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nvariant ") {
			variants++
		}
	}
	if family != variants || variants == 0 {
		t.Errorf("%d games of the family, and not %d", family, variants)
	}
}

// elements counts the elements of a class in a picture, which is XML.
func elements(t *testing.T, name string, svg []byte, class string) int {
	t.Helper()
	n := 0
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatalf("%s is no XML: %v", name, err)
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "class" && a.Value == class {
					n++
				}
			}
		}
	}
}
