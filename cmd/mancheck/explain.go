package main

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/cmd/internal/page"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	document "github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/build"
)

type explainCmd struct {
	File   string   `arg:"" help:"Rules file; - is standard input."`
	Claim  []string `sep:"none" placeholder:"NAME" help:"Explain this claim only. May be repeated."`
	Alone  bool     `help:"Leave out the other claims of the file."`
	Format string   `enum:",md,html" default:"" placeholder:"md|html" help:"md: Markdown; html: a self-contained page. The default is what the ending of the file of -o says, or else md."`
	Output string   `short:"o" placeholder:"PATH" help:"Write the document to this file instead of to standard output."`
	Force  bool     `help:"Replace the file if it exists."`
	Live   string   `placeholder:"DIR|URL" help:"Let readers of the page make other moves: it then loads, when it is asked to, the tool of the playground in this folder or at this address."`
	longFlag
	cacheFlags `group:"cache"`
	checkFlags
	decideFlags
}

// Run decides the claims and writes the document.
func (c *explainCmd) Run(s *session) error {
	if err := c.agree(); err != nil {
		return err
	}
	out := output.File{Path: c.Output, Force: c.Force, Own: page.Own}
	if err := out.Free(); err != nil {
		return err
	}
	chosen, diags, err := s.items(input.Named(c.File), c.Claim, c.Param)
	if err = cmp.Or(err, diags.Err()); err != nil {
		return err
	}
	src := document.Source{Path: c.File, Program: chosen[0].Program}
	all := slices.Clone(chosen)
	if !c.Alone && len(c.Claim) > 0 {
		all = slices.Concat(chosen, c.others(s, src.Program))
	}
	all = c.asked(s, all)
	if chosen = slices.DeleteFunc(chosen, func(i *suite.Item) bool { return i.Long }); len(chosen) == 0 {
		return errors.New("no claim is left to explain: all of them take long")
	}
	opt, err := c.run(s, c.decideFlags)
	if err != nil {
		return err
	}
	c.apply(&opt.Decide)
	d := deciding{s: s, certs: newCertificates(""), diags: diags}
	items := d.decide(all, opt).Items
	n := len(chosen)
	text, err := c.text(s.ctx, src, items[:n], items[n:])
	if err != nil {
		return err
	}
	if err := out.Write(s.out, text); err != nil {
		return err
	}
	if code := (&suite.Report{Items: items[:n]}).ExitCode(); code != exitExpected || s.ctx.Err() == nil {
		return statusError(code)
	}
	return status(exitInconclusive) // an interrupt left something out of the document
}

// agree sets the format that is not given by the ending of the file, and fails if the two differ.
func (c *explainCmd) agree() error {
	ending := strings.ToLower(filepath.Ext(c.Output))
	by := map[string]string{".html": "html", ".htm": "html", ".md": "md", ".markdown": "md"}[ending]
	if c.Format != "" && by != "" && c.Format != by {
		return diag.Errorf(diag.Usage, diag.Range{}, "--format %s does not go with -o %s, whose ending stands for %s", c.Format, c.Output, by).
			WithHelp("leave out --format, or write to a file that ends in .%s", c.Format)
	}
	c.Format = cmp.Or(c.Format, by, "md")
	return c.playable()
}

// playable fails if there is no playground for the page, or no page for the playground.
func (c *explainCmd) playable() error {
	switch {
	case c.Live == "":
		return nil
	case c.Format != "html":
		return diag.Errorf(diag.Usage, diag.Range{}, "--live is for pages, and this document is Markdown").WithHelp("--format html writes a page")
	case remote(c.Live):
		return nil
	}
	if _, err := file.Stat(filepath.Join(c.Live, "mancheck.wasm")); err != nil {
		return diag.Errorf(diag.Unfit, diag.Range{}, "%s has no playground: %v", c.Live, err).WithHelp("`make playground` makes one")
	}
	return nil
}

// live describes the playground, as seen from the page.
func (c *explainCmd) live(src document.Source) *page.Live {
	if c.Live == "" {
		return nil
	}
	address := c.Live
	if !remote(address) {
		if from, err := filepath.Rel(filepath.Dir(c.Output), address); err == nil {
			address = (&url.URL{Path: filepath.ToSlash(from)}).String()
		}
	}
	return &page.Live{Address: address, Path: src.Path, Files: src.Program.Sources}
}

// remote reports whether a playground is at an address, and not in a folder here.
func remote(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// asked returns the items without those that take long and are not asked for.
func (c *explainCmd) asked(s *session, items []*suite.Item) []*suite.Item {
	c.leaveOut(items, c.Claim)
	for _, name := range (&suite.Report{Items: items}).LeftOut() {
		s.note("left out: %s takes long; --long decides it", name)
	}
	return slices.DeleteFunc(slices.Clone(items), func(i *suite.Item) bool { return i.Long })
}

// others returns items for the claims that are not asked for: the document mentions their verdicts.
// Claims with mistakes, say because they have no such parameter, are left out.
func (c *explainCmd) others(s *session, program *dsl.Program) []*suite.Item {
	unit, _ := build.Collect(program.Files) // its faults were found before
	names := lists.Map(unit.Claims, func(claim *ast.Claim) string { return claim.Name.Name })
	names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(c.Claim, name) })
	if len(names) == 0 {
		return nil
	}
	items, _, _ := s.items(input.Named(c.File), names, c.Param)
	return slices.DeleteFunc(items, func(i *suite.Item) bool {
		if i.Err != nil {
			s.note("claim `%s` does not stand beside: %s", i.Claim, diag.FromError(i.Err)[0].Message)
		}
		return i.Err != nil
	})
}

// explained converts items for package explain.
func explained(items []*suite.Item) []*document.Item {
	return lists.Map(items, func(i *suite.Item) *document.Item {
		return &document.Item{Instance: i.Instance, Result: i.Result, Err: i.Err}
	})
}

// text returns the document in the format that is asked for.
func (c *explainCmd) text(ctx context.Context, src document.Source, chosen, beside []*suite.Item) ([]byte, error) {
	ctx, stop := limit.Part(ctx)
	defer stop()
	doc, err := document.Build(ctx, src, explained(chosen), explained(beside))
	switch {
	case err != nil:
		return nil, err
	case c.Format == "html":
		return page.HTML(doc, page.Options{Made: tool(), Live: c.live(src)}), nil
	}
	return page.Markdown(doc), nil
}
