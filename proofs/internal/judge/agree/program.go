package agree

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/dsl/format"
	"github.com/mancheck/mancheck/proofs/internal/judge"
)

// Program compares what the program itself prints about a file with the judge, and one way to run
// it with another.
type Program struct {
	Path  string // the binary
	Judge judge.Limits
	Tally map[string]int // runs and verdicts
}

// session is a file on disk, and what was found about it.
type session struct {
	p      Program
	seed   uint64
	file   *gen.File
	folder string
	found  []Finding
}

// limits make verdicts independent of the clock.
var limits = []string{"--max-states", "4000", "--max-memory", "512M", "--solver-steps", "200000", "--threads", "1"}

// tooLong is more than any command takes on a small file. A command that takes longer hangs.
const tooLong = 2 * time.Minute

// File runs the commands over a file. Random decides when they are interrupted.
func (p Program) File(seed uint64, f *gen.File, random *rand.Rand) ([]Finding, error) {
	return p.with(seed, f, func(s *session) { s.commands(random) })
}

// Interrupts proves a file once to the end, and then interrupts prove a number of times at random
// moments.
func (p Program) Interrupts(f *gen.File, times int, random *rand.Rand) ([]Finding, error) {
	return p.with(0, f, func(s *session) {
		full, took := s.until(0, nil, prove()...)
		said := s.said(full)
		for range times {
			sig := []os.Signal{os.Interrupt, syscall.SIGKILL}[random.IntN(2)]
			s.interrupted(said, time.Duration(random.Int64N(int64(took)+1)), sig)
		}
	})
}

// with puts a file into a folder of its own.
func (p Program) with(seed uint64, f *gen.File, do func(*session)) ([]Finding, error) {
	folder, err := os.MkdirTemp("", "mancheck")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	s := &session{p: p, seed: seed, file: f, folder: folder}
	if err := s.write("root.sow", f.Text); err != nil {
		return nil, err
	}
	for name, text := range f.Parts {
		if err := s.write(name, text); err != nil {
			return nil, err
		}
	}
	do(s)
	return s.found, nil
}

func (s *session) write(name, text string) error {
	return os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o666)
}

func (s *session) add(claim, engine, class, detail string) {
	s.found = append(s.found, Finding{Seed: s.seed, File: s.file, Claim: claim, Case: claim, Engine: engine, Class: class, Detail: detail})
}

// result is the part of a verdict in JSON that is compared.
type result struct {
	Claim, Verdict, Reason string
	Vacuous, Cached        bool
	Scope                  json.RawMessage
	Trace, OtherTrace      json.RawMessage
}

// key identifies an instance among those of all claims of a file.
func (r result) key() string { return r.Claim + " " + string(r.Scope) }

func (r result) conclusive() bool { return r.Verdict == "proved" || r.Verdict == "refuted" }

// output is what a command printed.
type output struct {
	Results      []result
	Certificates []struct{ File, Status, Reason, Claim string }
	code         int
	text         string
}

// run runs a command to its end.
func (s *session) run(args ...string) output {
	out, _ := s.until(0, nil, args...)
	return out
}

// until runs a command and sends it a signal after a while, if one is given. It returns how long it
// took.
func (s *session) until(after time.Duration, sig os.Signal, args ...string) (output, time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), tooLong)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.p.Path, args...)
	cmd.Dir = s.folder
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		s.add("", args[0], "no program", err.Error())
		return output{}, 0
	}
	if sig != nil {
		timer := time.AfterFunc(after, func() { cmd.Process.Signal(sig) })
		defer timer.Stop()
	}
	err := cmd.Wait()
	s.p.Tally["run of "+args[0]]++
	out := output{text: stdout.String() + stderr.String(), code: cmd.ProcessState.ExitCode()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		s.add("", args[0], "hang", fmt.Sprintf("no end in %s", tooLong))
	case err != nil && !errors.As(err, &exit):
		s.add("", args[0], "no program", err.Error())
	case crashed.MatchString(stderr.String()):
		s.add("", args[0], "crash", head(stderr.String()))
	case strings.Contains(out.text, "internal error"):
		s.add("", args[0], "internal error", head(out.text))
	}
	json.Unmarshal(stdout.Bytes(), &out) // cut off after a kill
	return out, time.Since(begin)
}

// crashed matches the standard error of a Go program that panics or dumps its goroutines.
var crashed = regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d+ \[)`)

// commands runs all commands on the file, and compares what they print with each other and the
// judge.
func (s *session) commands(random *rand.Rand) {
	full, took := s.until(0, nil, prove("--certificates", "certs")...)
	said := s.said(full)
	s.truths(full)
	s.certify()
	again := s.run(prove()...)
	s.same("prove again", said, again.Results)
	for _, r := range again.Results {
		if r.Cached {
			s.p.Tally["verdict of the cache"]++
		}
	}
	check := s.run(append([]string{"check", "root.sow", "--long", "--format", "json"}, limits...)...)
	s.same("check", said, check.Results)
	s.formatted(said)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGKILL} {
		s.interrupted(said, time.Duration(random.Int64N(int64(took)+1)), sig)
	}
}

// prove is the command with its flags, and more.
func prove(more ...string) []string {
	return slices.Concat([]string{"prove", "root.sow", "--long", "--format", "json", "--cache-dir", "cache"}, limits, more)
}

// said returns the verdicts of a full run by instance.
func (s *session) said(full output) map[string]result {
	said := map[string]result{}
	for _, r := range full.Results {
		said[r.key()] = r
		if r.conclusive() {
			s.p.Tally["verdict of prove"]++
		}
	}
	return said
}

// same compares the verdicts of another run, which may leave claims open.
func (s *session) same(command string, said map[string]result, now []result) {
	for _, r := range now {
		if !r.conclusive() {
			continue
		}
		was := said[r.key()]
		if s.p.Tally["verdict of "+command]++; was.Verdict != r.Verdict || was.Vacuous != r.Vacuous {
			s.add(r.Claim, command, "another verdict", fmt.Sprintf("%s: %s (%s), prove said %s (%s)", r.key(), r.Verdict, r.Reason, was.Verdict, was.Reason))
		}
	}
}

// truths compares the verdicts with the judge, for each claim of which all instances have a result.
func (s *session) truths(out output) {
	c := &checker{file: s.file}
	program, diags := dsl.Load("root.sow", opener(c.file))
	if diags.HasErrors() {
		if len(out.Results) > 0 {
			s.add("", "prove", "a verdict on a mistake", diags.Err().Error())
		}
		return
	}
	byClaim := map[string][]result{}
	for _, r := range out.Results {
		byClaim[r.Claim] = append(byClaim[r.Claim], r)
	}
	for _, d := range program.Files[len(program.Files)-1].Decls {
		cl, ok := d.(*ast.Claim)
		if !ok {
			continue
		}
		truths := judge.DecideIn(program.Files, cl, s.p.Judge)
		list := byClaim[cl.Name.Name]
		for _, r := range list {
			s.replay(program.Files, cl, r)
		}
		if len(list) != len(truths) {
			continue
		}
		for i, t := range truths {
			bad := list[i].Verdict == "proved" && t.Truth == judge.False || list[i].Verdict == "refuted" && t.Truth == judge.True
			if bad {
				s.add(cl.Name.Name, "prove", list[i].Verdict+", but "+t.Truth.String(), list[i].key()+": "+list[i].Reason+"; judge: "+tell(t))
			}
		}
	}
}

// replay has the judge play the plays of a result.
func (s *session) replay(files []*ast.File, cl *ast.Claim, r result) {
	for i, t := range []json.RawMessage{r.Trace, r.OtherTrace} {
		if len(t) == 0 || string(t) == "null" {
			continue
		}
		s.p.Tally["play replayed"]++
		if err := judge.ReplayIn(files, cl, t, i == 1); err != nil {
			s.add(r.Claim, "prove", "a play that the judge refuses", r.key()+": "+err.Error())
		}
	}
}

// certify lets the program check each certificate that prove wrote.
func (s *session) certify() {
	list, _ := filepath.Glob(filepath.Join(s.folder, "certs", "*"))
	if len(list) == 0 {
		return
	}
	out := s.run(append([]string{"certify", "--format", "json"}, list...)...)
	for _, c := range out.Certificates {
		if s.p.Tally["certificate "+c.Status]++; c.Status == "rejected" {
			s.add(c.Claim, "certify", "rejected", c.Reason)
		}
	}
}

// formatted decides the file as fmt lays it out, which must not change any verdict.
func (s *session) formatted(said map[string]result) {
	file, diags := dsl.Parse("root.sow", []byte(s.file.Text))
	if diags.HasErrors() {
		return
	}
	text, err := format.Source(file)
	if err != nil {
		s.add("", "fmt", "cannot format", err.Error())
		return
	}
	if err := s.write("formatted.sow", string(text)); err != nil {
		return
	}
	out := s.run(append([]string{"prove", "formatted.sow", "--long", "--cache", "off", "--format", "json"}, limits...)...)
	s.same("prove of the formatted file", said, out.Results)
	if len(out.Results) != len(said) && len(said) > 0 && len(out.Results) == 0 {
		s.add("", "fmt", "another file", head(out.text))
	}
}

// interrupted sends a signal to prove. The verdicts that it prints, and those that the cache has
// afterwards, must be those of a full run.
func (s *session) interrupted(said map[string]result, after time.Duration, sig os.Signal) {
	os.RemoveAll(filepath.Join(s.folder, "cache"))
	name := "prove after " + sig.String()
	out, _ := s.until(after, sig, prove()...)
	s.p.Tally["run ended by "+sig.String()]++
	s.same(name, said, out.Results)
	kept := s.run(prove("--cache", "readonly", "--max-states", "1", "--solver-steps", "1")...) // what is not in the cache may stay open
	var cached []result
	for _, r := range kept.Results {
		if r.Cached {
			cached = append(cached, r)
		}
	}
	s.same("the cache of "+name, said, cached)
}
