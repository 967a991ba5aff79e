// Command trust says what the verdicts of the proof suite rest on: docs/trust.md has its table, and
// one of the definitions that theorems in Coq are stated with.
//
//	go run -tags z3 ./scripts/trust > docs/trust.md
//	go run -tags z3 ./scripts/trust -decide
//
// The first puts the tables into the page, and takes a moment. What each verdict rests on is kept
// in scripts/trust/verdicts.tsv. The second decides every claim twice, by default and as with
// --certify, and writes that file. It takes some minutes.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/rules/build"
)

const (
	page      = "docs/trust.md"
	rowsFile  = "scripts/trust/verdicts.tsv"
	maxStates = 20_000_000 // as prove has
	other     = "another solver"
)

//go:embed verdicts.tsv
var kept string

func main() {
	log.SetFlags(0)
	decide := flag.Bool("decide", false, "decide every claim again, and write "+rowsFile)
	flag.Parse()
	err := show(os.Stdout)
	if *decide {
		err = write()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// row is what the verdict on one instance rests on.
type row struct {
	file, name, kind string
	verdict          string
	engine           string // that found it
	checked          string // how it is checked by default
	gap              string // why it is unchecked
	evidence         string // the kind of its certificate, or empty
	none             string // why there is no certificate
	certified        string // how it is checked with --certify
}

func (r row) fields() []string {
	return []string{r.file, r.name, r.kind, r.verdict, r.engine, r.checked, r.gap, r.evidence, r.none, r.certified}
}

// suite lists the rules files that make prove decides.
func suite(root string) ([]string, error) {
	var files []string
	for _, glob := range []string{"examples/*.sow", "examples/*/*.sow", "proofs/*.sow"} {
		list, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil {
			return nil, err
		}
		files = append(files, list...)
	}
	return files, nil
}

// write decides the claims of all files.
func write() error {
	files, err := suite(".")
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, path := range files {
		rows, err := restsOn(context.Background(), path, path, nil)
		if err != nil {
			return err
		}
		for _, r := range rows {
			fmt.Fprintln(&b, strings.Join(r.fields(), "\t"))
		}
	}
	return os.WriteFile(rowsFile, []byte(b.String()), 0o666)
}

// restsOn decides the instances of a file that are wanted, all if that is nil. name is the file's
// in the rows.
func restsOn(ctx context.Context, path, name string, wanted func(instance string) bool) ([]row, error) {
	f, err := proofs.Open(path)
	if err != nil {
		return nil, err
	}
	instances, err := f.Instances(nil)
	if err != nil {
		return nil, err
	}
	var rows []row
	common := new(proofs.Common)
	for _, inst := range instances {
		if wanted != nil && !wanted(inst.Name()) {
			continue
		}
		r, err := rowOf(ctx, inst, f, common)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, inst.Name(), err)
		}
		r.file = filepath.ToSlash(name)
		rows = append(rows, r)
	}
	return rows, nil
}

func rowOf(ctx context.Context, inst *build.Instance, f *proofs.File, common *proofs.Common) (row, error) {
	opt := proofs.Options{Bounds: limit.Bounds{MaxStates: maxStates}, Common: common}
	found, err := proofs.Decide(ctx, inst, opt)
	if err != nil {
		return row{}, err
	}
	r := row{name: inst.Name(), kind: string(found.Claim.Kind), verdict: found.Status.String(), engine: string(found.Engine), checked: found.Checked.String()}
	if found.Gap != nil {
		r.gap = say.Gap(found.Gap)
	}
	opt.Certify, opt.CheckAll = true, true
	found, err = proofs.Decide(ctx, inst, opt)
	if err != nil {
		return row{}, err
	}
	r.certified = found.Checked.String()
	if c, err := found.Certificate("", f.Program); err != nil {
		r.none = err.Error()
	} else {
		r.evidence = cert.Kind(c.Evidence.Is)
	}
	if found.Engine == proofs.Induction && found.Checked == proofs.Unchecked {
		r.certified = other // whether there is one depends on the machine
	}
	return r, nil
}

// read reads rows.
func read(text string) (rows []row, err error) {
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != len(row{}.fields()) {
			return nil, fmt.Errorf("%s: a line of %d fields: %q", rowsFile, len(f), line)
		}
		rows = append(rows, row{f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9]})
	}
	return rows, nil
}
