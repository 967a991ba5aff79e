package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/verdict"
)

const (
	folder     = "docs/atlas"
	factsFile  = folder + "/facts.csv"
	shownMoves = 30 // of plays that are kept
)

// fact is what was found of one claim. Its fields are the columns of the file.
type fact struct {
	ID          string `json:"id"` // of the page and of the claim
	Game        string `json:"game"`
	Variant     string `json:"variant"`
	File        string `json:"file"`
	Rules       string `json:"rules"` // switches that are not as by default
	Board       string `json:"board"` // values of parameters; empty: those that people play with
	Question    string `json:"question"`
	Answer      string `json:"answer"` // yes, no, a number, or open
	Why         string `json:"why"`
	Engine      string `json:"engine"`
	Checked     string `json:"checked"`
	Certificate string `json:"certificate"` // its hash; empty if there is none
	Play        string `json:"play"`        // the moves of one that shows the answer, if it is short
	System      string `json:"system"`      // the hash of the rules at this board
	Command     string `json:"command"`     // that decides it again; not in the file
}

func (f *fact) fields() []*string {
	return []*string{
		&f.ID, &f.Game, &f.Variant, &f.File, &f.Rules, &f.Board, &f.Question, &f.Answer, &f.Why, &f.Engine, &f.Checked, &f.Certificate,
		&f.Play, &f.System,
	}
}

var columns = []string{
	"id", "game", "variant", "file", "rules", "board", "question", "answer", "why", "engine", "checked", "certificate", "play", "system",
}

// readFacts reads the facts that are kept. Without a file there are none.
func readFacts(root string) ([]*fact, error) {
	f, err := os.Open(filepath.Join(root, factsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || !slices.Equal(rows[0], columns) {
		return nil, fmt.Errorf("%s: the columns are not %s", factsFile, strings.Join(columns, ", "))
	}
	var list []*fact
	for _, row := range rows[1:] {
		one := &fact{}
		for i, field := range one.fields() {
			*field = row[i]
		}
		one.Command = command(one)
		list = append(list, one)
	}
	return list, nil
}

// command is what decides a fact again.
func command(f *fact) string {
	_, claim, _ := strings.Cut(f.ID, "/")
	text := fmt.Sprintf("mancheck check %s --claim %s", claimsFile(f.Game), claim)
	if f.Answer == "open" {
		text += " --long"
	}
	return text
}

// writeFacts writes facts.
func writeFacts(list []*fact) error {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write(columns) // Flush's error is that of the buffer, which has none
	for _, f := range list {
		_ = w.Write(lists.Map(f.fields(), func(s *string) string { return *s }))
	}
	w.Flush()
	return file.Write(factsFile, out.Bytes(), file.Loose)
}

// claimsFile is the file with the claims about a game.
func claimsFile(id string) string { return folder + "/claims/" + id + ".sow" }

// claims writes claims into a file of rules.
func (g *game) claims(list []*claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "import %q\n\n// What is known of %s. go run ./scripts/atlas writes this file.\n\n", path.Join("../../..", g.Path), g.name)
	for _, c := range list {
		b.WriteString(c.text(g.name))
	}
	return b.String()
}

// find finds out what is not known yet, again also what is open.
func find(ctx context.Context, again bool) error {
	list, err := games(".")
	if err != nil {
		return err
	}
	known, err := readFacts(".")
	if err != nil {
		return err
	}
	for _, g := range list {
		had := lists.Filter(known, func(f *fact) bool { return f.Game == g.ID })
		open := slices.ContainsFunc(had, func(f *fact) bool { return f.Answer == "open" })
		if len(had) > 0 && had[0].System == g.sets[0].sys.Hash() && !(again && open) {
			continue
		}
		began := time.Now()
		found, err := g.find(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", g.Path, err)
		}
		known = append(slices.DeleteFunc(known, func(f *fact) bool { return f.Game == g.ID }), found...)
		slices.SortStableFunc(known, func(a, b *fact) int { return cmp.Compare(a.Game, b.Game) })
		if err := writeFacts(known); err != nil {
			return err
		}
		log.Printf("%s: %d facts, %v", g.ID, len(found), time.Since(began).Round(time.Second))
	}
	return nil
}

// find finds out about one game, and writes its claims.
func (g *game) find(ctx context.Context) ([]*fact, error) {
	asked, err := g.ask(ctx)
	if err != nil {
		return nil, err
	}
	if asked, err = g.count(ctx, asked); err != nil {
		return nil, err
	}
	text := g.claims(asked)
	f, err := load(claimsFile(g.ID), text)
	if err != nil {
		return nil, err
	}
	var found []*proofs.Result
	var kept []*claim
	for _, c := range asked {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r, err := decide(ctx, f, c.name, verdict.Auto, verdict.Hunt)
		if err != nil {
			continue // it is no question of this game, as the value of several starts
		}
		c.verdict = r.Status.String()
		kept, found = append(kept, c), append(found, r)
	}
	text = g.claims(kept)
	if f, err = load(claimsFile(g.ID), text); err != nil { // a certificate has the text of the file
		return nil, err
	}
	var list []*fact
	for i, c := range kept {
		list = append(list, g.fact(c, found[i], f))
	}
	return list, file.Write(claimsFile(g.ID), []byte(text), file.Loose)
}

// recertify decides what is known again, by the engine that found it, and keeps the certificates.
func recertify(ctx context.Context) error {
	list, err := games(".")
	if err != nil {
		return err
	}
	facts, err := readFacts(".")
	if err != nil {
		return err
	}
	for _, g := range list {
		f, err := proofs.Open(claimsFile(g.ID))
		if err != nil {
			return err
		}
		for _, known := range facts {
			if known.Game != g.ID || known.Answer == "open" {
				continue
			}
			c := &claim{name: path.Base(known.ID), rules: known.Rules, words: known.Board, property: known.Question}
			r, err := decide(ctx, f, c.name, proofs.Engine(known.Engine))
			if err != nil {
				return fmt.Errorf("%s: %w", known.ID, err)
			}
			now := g.fact(c, r, f)
			if now.Answer != known.Answer {
				return fmt.Errorf("%s: %s, and not %s: %s", known.ID, now.Answer, known.Answer, now.Why)
			}
			known.Certificate, known.Checked = now.Certificate, now.Checked
		}
		log.Print(g.ID)
	}
	return writeFacts(facts)
}

// load reads the text of a file of claims before it is written.
func load(at, text string) (*proofs.File, error) {
	return proofs.Load(at, func(p string) ([]byte, error) {
		if filepath.ToSlash(p) == at {
			return []byte(text), nil
		}
		return os.ReadFile(p)
	})
}

// count puts the numbers that are asked for into claims. Those without a number are left out.
func (g *game) count(ctx context.Context, asked []*claim) ([]*claim, error) {
	f, err := load(claimsFile(g.ID), g.claims(asked))
	if err != nil {
		return nil, err
	}
	var list []*claim
	valued := map[string]bool{} // by board
	for _, c := range asked {
		if strings.Contains(c.property, "?") {
			if strings.HasPrefix(c.property, "value") && valued[c.words] {
				continue // where every play ends, it does not matter what endless play is
			}
			r, err := decide(ctx, f, c.name, verdict.Auto, verdict.Hunt)
			if err != nil || !r.Conclusive() {
				continue
			}
			number, ok := numberOf(r)
			if !ok {
				continue
			}
			c.property = strings.ReplaceAll(c.property, "?", number)
			valued[c.words] = valued[c.words] || strings.HasPrefix(c.property, "value")
		}
		list = append(list, c)
	}
	return list, ctx.Err()
}

// numberOf is the number that a verdict has found.
func numberOf(r *proofs.Result) (string, bool) {
	if n, ok := verdict.NumberOf(r.Found); ok {
		return strconv.Itoa(n), true
	}
	if valued, is := r.Found.(verdict.Valued); is && valued.Worth.Lo == valued.Worth.Hi {
		return strconv.Itoa(valued.Worth.Lo), true
	}
	return "", false
}

// unpacker unpacks large certificates.
var unpacker, _ = zstd.NewReader(nil) // without options there is no error

// asNumber matches a property that says a number.
var asNumber = regexp.MustCompile(`^(?:count|value)\(.*?\) = (-?\d+)`)

// toolLine is the line of a certificate that says which program wrote it.
var toolLine = regexp.MustCompile(`(?m)^  "tool": .*\n`)

// fact is what a verdict says.
func (g *game) fact(c *claim, r *proofs.Result, f *proofs.File) *fact {
	out := &fact{
		ID: g.ID + "/" + c.name, Game: g.ID, Variant: g.name, File: g.Path, Rules: c.rules, Question: c.property, Why: r.Sentence(),
		System: r.Instance.System.Hash(),
	}
	if c.words != c.rules {
		out.Board = c.words
	}
	number := asNumber.FindStringSubmatch(c.property)
	switch {
	case !r.Conclusive():
		out.Answer = "open"
		return out
	case number != nil && r.Status == proofs.Proved:
		out.Answer = number[1]
	case r.Status == proofs.Proved:
		out.Answer = "yes"
	default:
		out.Answer = "no"
	}
	out.Engine, out.Checked = string(r.Engine), r.Checked.String()
	if r.Trace != nil && len(r.Trace.Steps) <= shownMoves {
		out.Play = strings.Join(r.Trace.Moves(), ", ")
	}
	if certificate, err := r.Certificate("mancheck", f.Program); err == nil {
		var text bytes.Buffer
		if cert.Write(&text, certificate) == nil {
			plain := text.Bytes()
			if unpacked, err := unpacker.DecodeAll(plain, nil); err == nil {
				plain = unpacked
			}
			sum := sha256.Sum256(toolLine.ReplaceAll(plain, nil))
			out.Certificate = hex.EncodeToString(sum[:])
		}
	}
	return out
}
