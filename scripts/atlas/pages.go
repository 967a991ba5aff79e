package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/record"
)

// page is a page of the site: its parameters, and its text in Markdown.
type page struct {
	Params  map[string]string `json:"params"`
	Content string            `json:"content"`
}

const repository = "https://github.com/mancheck/mancheck/blob/main/"

// writePages writes the pages of the games as pages.json, and all facts as atlas.json and
// atlas.csv.
func writePages(root, to string) error {
	list, err := games(root)
	if err != nil {
		return err
	}
	facts, err := readFacts(root)
	if err != nil {
		return err
	}
	if err := compare(root, list); err != nil {
		return err
	}
	var pages []page
	for _, g := range list {
		of := lists.Filter(facts, func(f *fact) bool { return f.Game == g.ID })
		if len(of) == 0 {
			continue
		}
		pages = append(pages, page{map[string]string{"game": g.ID, "name": g.name}, g.page(of)})
	}
	table, err := file.Read(filepath.Join(root, factsFile))
	if err != nil {
		return err
	}
	if err := file.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for name, value := range map[string]any{"pages.json": pages, "atlas.json": map[string]any{"schema": 1, "facts": facts}} {
		text, err := json.MarshalIndent(value, "", " ")
		if err != nil {
			return err
		}
		if err := file.Write(filepath.Join(to, name), text, file.Loose); err != nil {
			return err
		}
	}
	return file.Write(filepath.Join(to, "atlas.csv"), table, file.Loose)
}

// Files about games that others have played or counted.
const (
	recordsMap = "examples/family/records.map"
	perftFile  = "proofs/testdata/family/mancala_games.tsv"
)

// compare says of games what they were compared with.
func compare(root string, list []*game) error {
	text, err := file.Read(filepath.Join(root, recordsMap))
	if err != nil {
		return err
	}
	m, err := record.ReadMap(recordsMap, text)
	if err != nil {
		return err
	}
	counted, err := file.Read(filepath.Join(root, perftFile))
	if err != nil {
		return err
	}
	missed, err := unreached(root)
	if err != nil {
		return err
	}
	for _, g := range list {
		name := strings.TrimPrefix(g.Path, "examples/family/")
		for _, e := range m.Entries {
			if e.File == name {
				g.compared += fmt.Sprintf("A recorded game of *%s* can be replayed by these rules", escaped(e.Game))
				if len(e.With) > 0 {
					g.compared += " with " + e.With[0].Name + " = " + e.With[0].Value
				}
				g.compared += fmt.Sprintf(" ([how](%sdocs/records.md)).", repository)
				if parts := missed[g.Path]; len(parts) > 0 {
					g.compared += " It does not come to:\n\n" + strings.Join(parts, "\n")
				} else {
					g.compared += " It comes to every part of the rules."
				}
				g.compared += "\n\n"
			}
		}
		if strings.Contains("\n"+string(counted), "\n"+name+"\t") {
			g.compared += "The sequences of one to four moves are as many as [MancalaGames](https://github.com/StoneShark/MancalaGames) counts.\n\n"
		}
	}
	return nil
}

// neverIn matches a part of rules that no recorded game came to, as replay writes it.
var neverIn = regexp.MustCompile(`(?m)^  (\S+\.sow):(\d+):\d+  (.*?)  <- (never .*)$`)

// unreached are the parts of rules that no recorded game came to, by files.
func unreached(root string) (map[string][]string, error) {
	cmd := exec.Command("go", "run", "-tags", "z3", "./cmd/mancheck", "replay", "--record", "proofs/testdata/family/records.tsv", "--map", recordsMap)
	cmd.Dir = root
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	missed := map[string][]string{}
	for _, m := range neverIn.FindAllStringSubmatch(string(text), -1) {
		missed[m[1]] = append(missed[m[1]], fmt.Sprintf("- %s in line %s: %s", code(m[3]), m[2], m[4]))
	}
	return missed, nil
}

// page is the page of a game.
func (g *game) page(facts []*fact) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s\n\n<Game id=%q :title=\"false\" />\n\n", g.name, escaped(g.Said()), g.ID)
	fmt.Fprintf(&b, "[The file](%s%s) · [the claims below as a file](%s%s)\n\n%s", repository, g.Path, repository, claimsFile(g.ID), g.compared)
	for _, r := range g.sets {
		of := lists.Filter(facts, func(f *fact) bool { return f.Rules == r.words })
		known := lists.Filter(of, func(f *fact) bool { return f.Answer != "open" })
		title := "What is known"
		if r.words != "" {
			title = "With " + r.words
		}
		fmt.Fprintf(&b, "## %s\n\n", title)
		table(&b, "At the board that people play on", lists.Filter(known, func(f *fact) bool { return f.Board == "" }))
		table(&b, "At small boards", lists.Filter(known, func(f *fact) bool { return f.Board != "" }))
		table(&b, "Open", lists.Filter(of, func(f *fact) bool { return f.Answer == "open" }))
	}
	fmt.Fprintf(&b, "## Rules\n\n```sow\n%s\n```\n", g.rules())
	return b.String()
}

// table writes facts, each with what decides it again behind it.
func table(b *bytes.Buffer, title string, facts []*fact) {
	if len(facts) == 0 {
		return
	}
	fmt.Fprintf(b, "**%s**\n\n| claim | answer | why | checked |\n|---|---|---|---|\n", title)
	for _, f := range facts {
		how := f.Engine
		if f.Checked != "" {
			how += ", " + f.Checked
		}
		if f.Certificate != "" {
			how += fmt.Sprintf(" <span title=\"SHA-256 %s\">%s</span>", f.Certificate, f.Certificate[:8])
		}
		why := escaped(f.Why)
		if f.Play != "" {
			why += ": " + code(f.Play)
		}
		_, claim, _ := strings.Cut(f.ID, "/")
		question := code(f.Question)
		if f.Board != "" {
			question += " with " + escaped(f.Board)
		}
		fmt.Fprintf(b, "| <a id=%q></a>%s | %s | %s | %s |\n", claim, question, f.Answer, why, how)
	}
	fmt.Fprintf(b, "\n")
}

// code is text as code in a table.
func code(text string) string { return "`" + strings.ReplaceAll(text, "|", "\\|") + "`" }

// escaped is text that is no markup.
func escaped(text string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", "|", "\\|", "*", "\\*", "{{", "{ {").Replace(text)
}
