package main

import (
	"slices"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/output"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/page"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs"
	document "github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
)

type explainCmd struct {
	File   string   `arg:"" help:"Rules file; - is standard input."`
	Claim  []string `sep:"none" placeholder:"NAME" help:"Explain this claim only. May be repeated."`
	Alone  bool     `help:"Do not decide the other claims of the file, which stand beside those that are explained."`
	Format string   `enum:"md,html" default:"md" help:"md: Markdown; html: a page that needs nothing beside it."`
	Output string   `short:"o" placeholder:"PATH" help:"Write the document to this file instead of to standard output."`
	Force  bool     `help:"Replace the file if it exists."`
	cacheFlags
	checkFlags
	decideFlags
}

// Help says what the document holds.
func (*explainCmd) Help() string {
	return `Decides claims and writes down how: the verdict with what it rests on, the plays and states that show it, and for a set closed under predecessors the tree of its boards with the reason why each branch dies. The named positions of the file stand with what became of them, the other claims about the same rules beside, and the rules at the end. Without --claim all claims of the file are explained.

The page of --format html needs no network and no JavaScript; with it, plays go forward and back by the keys ← → Home End and space, and any trace that mancheck trace writes can be opened.

The exit status is that of check, for the claims that are explained.

Examples:

    mancheck explain proofs/dose2015.sow --claim thesis_any --format html -o thesis.html
    mancheck explain examples/kalah.sow -o kalah.md
    mancheck explain examples/dose2015.sow --claim narrow_boards -p n=3 --alone`
}

// Run decides the claims and writes the document.
func (c *explainCmd) Run(s *session) error {
	if err := output.Free(c.Output, c.Force); err != nil {
		return err
	}
	files, diags := s.claims([]string{c.File}, c.Claim, c.Param)
	if err := diags.Err(); err != nil {
		return err
	}
	s.warn(diags)
	src := document.Source{Path: c.File, Program: files[0].program}
	var others []*resolve.Instance
	if !c.Alone && len(c.Claim) > 0 {
		others = c.others(s, src)
	}
	items := c.decide(s, src, slices.Concat(files[0].instances, others))
	chosen, beside := items[:len(files[0].instances)], items[len(files[0].instances):]
	most := int64(c.MaxMemory)
	if most == 0 {
		most = limit.DefaultMemory()
	}
	ctx, stop := limit.WithMemory(s.ctx, most)
	defer stop()
	doc, err := document.Build(ctx, src, chosen, beside, document.Options{MaxMemory: int64(c.MaxMemory)})
	if err != nil {
		return err
	}
	if err := c.write(s, doc); err != nil {
		return err
	}
	if err := statusOf(chosen); err != nil || s.ctx.Err() == nil {
		return err
	}
	return status(exitInconclusive) // an interrupt left something out of the document
}

// others makes the instances of the claims that are not asked for. One that makes no sense with the given parameters is left out.
func (c *explainCmd) others(s *session, src document.Source) []*resolve.Instance {
	unit, _ := resolve.Collect(src.Program.Files) // its faults were found before
	var names []string
	for _, claim := range unit.Claims {
		if !slices.Contains(c.Claim, claim.Name.Name) {
			names = append(names, claim.Name.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if list, diags := c.instances(s, names); !diags.HasErrors() {
		return list
	}
	var list []*resolve.Instance
	for _, name := range names {
		some, diags := c.instances(s, []string{name})
		if diags.HasErrors() {
			s.note("claim `%s` does not stand beside: %s", name, diags[0].Message)
			continue
		}
		list = append(list, some...)
	}
	return list
}

func (c *explainCmd) instances(s *session, names []string) ([]*resolve.Instance, diag.List) {
	files, diags := s.claims([]string{c.File}, names, c.Param)
	if diags.HasErrors() {
		return nil, diags
	}
	return files[0].instances, nil
}

func (c *explainCmd) write(s *session, doc *document.Document) error {
	s.concluding.Store(true)
	text := page.Markdown(doc)
	if c.Format == "html" {
		text = page.HTML(doc)
	}
	if c.Output == "" {
		s.out.Write(text)
		return nil
	}
	return output.File(c.Output, plain.Text(text), c.Force)
}

// decide gets the verdicts that a document is about.
func (c *explainCmd) decide(s *session, src document.Source, list []*resolve.Instance) []*suite.Item {
	opt := c.run(s, c.decideFlags)
	c.apply(&opt.Decide)
	opt.Watch = s.watch()
	rep := suite.Run(s.ctx, []suite.File{{Path: src.Path, Program: src.Program, Instances: list}}, opt)
	s.progress.Clear()
	for _, i := range rep.Items {
		if i.Err != nil {
			s.complain(s.fault(i.Instance, i.Err))
		}
	}
	return rep.Items
}

// statusOf is the exit status for claims that were explained.
func statusOf(items []*suite.Item) error {
	var results []*proofs.Result
	for _, item := range items {
		if item.Result == nil {
			return status(exitFailed)
		}
		results = append(results, item.Result)
	}
	return statusError(proofs.ExitCode(results))
}
