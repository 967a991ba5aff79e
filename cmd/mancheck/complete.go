package main

import (
	"cmp"
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/survey"
	"github.com/mancheck/mancheck/rules"
)

// completeCmd is what the scripts of completion ask. It writes a line for each word that may stand
// in the place of the last one, with a tab and what the word means where that is known, and at the
// end a line that says what else may stand there: files (:files EXT, :files), folders (:folders),
// a value behind the word (:value), or nothing (:).
type completeCmd struct {
	Words []string `arg:"" optional:"" passthrough:"" help:"The command line as far as it is written, without the name of the program."`
}

// Run writes the words.
func (c *completeCmd) Run(s *session) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		words = []string{""}
	}
	l := &line{s: s, before: words[:len(words)-1], last: words[len(words)-1], grammar: s.parser(func(string) bool { return true }).Model.Node}
	l.complete()
	for _, w := range l.found {
		if strings.HasPrefix(w.text, l.last) {
			fmt.Fprintln(s.out, strings.TrimSuffix(w.text+"\t"+term.Cut(shortMeaning, w.meaning), "\t"))
		}
	}
	fmt.Fprintln(s.out, ":"+l.also)
	return nil
}

// shortMeaning is how much of a meaning has room beside a word.
const shortMeaning = 70

// line is a command line that is being completed.
type line struct {
	s       *session
	before  []string
	last    string
	grammar *kong.Node // of the command, as far as it is known

	found []word
	also  string
	units []*input.File // the rules files on the line, once they are needed
}

// word is a word that may stand on a command line.
type word struct{ text, meaning string }

func (l *line) add(text, meaning string) { l.found = append(l.found, word{text, meaning}) }

// complete finds what the last word may be.
func (l *line) complete() {
	flag, at := l.walk()
	name, _, joined := strings.Cut(l.last, "=")
	switch {
	case flag != nil:
		l.value(flag, "")
	case joined && strings.HasPrefix(name, "--"):
		if f := flagTaken(l.grammar, name); f != nil {
			l.value(f, name+"=")
		}
	case strings.HasPrefix(l.last, "-"):
		for _, f := range flagsTaken(l.grammar) {
			l.add("--"+f.Name, sentence(f.Help))
		}
	case len(l.grammar.Children) > 0:
		for _, n := range l.grammar.Children {
			if !n.Hidden {
				l.add(n.Name, n.Help)
			}
		}
	default:
		l.argument(at)
	}
}

// walk reads the words before the last one. It returns the flag whose value the last one is, and
// how many arguments stand before it.
func (l *line) walk() (flag *kong.Flag, at int) {
	for _, w := range l.before {
		switch {
		case flag != nil:
			flag = nil
		case strings.HasPrefix(w, "-") && w != input.Stdin:
			if f := flagTaken(l.grammar, w); f != nil && !f.IsBool() {
				flag = f
			}
		default:
			if n := slices.IndexFunc(l.grammar.Children, func(n *kong.Node) bool { return n.Name == w }); n >= 0 {
				l.grammar = l.grammar.Children[n]
			} else {
				at++
			}
		}
	}
	return flag, at
}

// flagsTaken are the flags that a command takes.
func flagsTaken(n *kong.Node) []*kong.Flag {
	var list []*kong.Flag
	for ; n != nil; n = n.Parent {
		list = append(list, lists.Filter(n.Flags, func(f *kong.Flag) bool { return !f.Hidden })...)
	}
	return list
}

// flagTaken finds a flag by a word; nil if there is none of this name, or its value is in the word.
func flagTaken(n *kong.Node, w string) *kong.Flag {
	return lists.Find(flagsTaken(n), func(f *kong.Flag) bool { return w == "--"+f.Name || f.Short != 0 && w == "-"+string(f.Short) })
}

// value finds what the value of a flag may be, each with a text before it.
func (l *line) value(f *kong.Flag, before string) {
	n := len(l.found)
	switch f.Name {
	case "claim":
		l.claims()
	case "variant":
		l.variants()
	case "param":
		l.params(strings.TrimPrefix(l.last, before))
	case "state":
		l.states()
	case "with":
		l.strategies()
	case "computer":
		l.add("none", "nobody")
		l.add("all", "every player")
		l.players("")
	case "of":
		l.each(strings.Join(survey.Figures, " ") + " conserved never-stuck for-ever")
	case "solver":
		l.each("z3 z3-process cvc5")
	case "report":
		l.each("json= junit= sarif= github=")
		l.also = "value"
	case "emit":
		l.add("smt2", "SMT-LIB 2 scripts, into a folder that follows")
		l.add("coq", "a theorem and its proof, into a folder that follows")
	default:
		l.each(strings.ReplaceAll(f.Enum, ",", " "))
		if len(l.found) == n {
			l.also = filesOf[f.PlaceHolder]
		}
	}
	for i := range l.found[n:] {
		l.found[n+i].text = before + l.found[n+i].text
	}
}

func (l *line) each(words string) {
	for w := range strings.FieldsSeq(words) {
		l.add(w, "")
	}
}

// filesOf says which files the value of a flag may be, by its placeholder, and an argument, by its
// name. Other arguments are any files.
var filesOf = map[string]string{
	"DIR": "folders", "FILE": "files", "PATH": "files", "TABLE": "files", "RECORD": "files", "MAP": "files",
	"file": "files sow", "path": "files sow", "folder": "folders", "report": "files json", "certificate": "files cert",
}

// argument finds what an argument may be.
func (l *line) argument(at int) {
	list := l.grammar.Positional
	if len(list) == 0 {
		return
	}
	switch arg := list[min(at, len(list)-1)]; {
	case l.grammar.Name == "help":
		l.each(strings.Join(topics(), " "))
	case arg.Enum != "":
		l.each(strings.ReplaceAll(arg.Enum, ",", " "))
	default:
		l.also = cmp.Or(filesOf[arg.Name], "files")
	}
}

// rules reads the rules files on the line. Those that cannot be read have no names to offer.
func (l *line) rules() []*input.File {
	if l.units != nil {
		return l.units
	}
	paths := lists.Filter(l.before, func(w string) bool { return filepath.Ext(w) == ".sow" })
	if takes := l.grammar.Positional; len(paths) == 0 && len(takes) > 0 && takes[0].Name == "path" {
		paths = lists.Filter(l.before[1:], func(w string) bool { return !strings.HasPrefix(w, "-") })
	}
	found, err := input.Find(paths)
	if err != nil {
		return nil
	}
	for _, f := range found {
		if file := l.s.reader.Sketch(f.Path); file != nil {
			l.units = append(l.units, file)
		}
	}
	return l.units
}

func (l *line) claims() {
	for _, f := range l.rules() {
		for _, c := range f.Unit.Claims {
			l.add(c.Name.Name, cmp.Or(c.Label, sentence(c.Doc)))
		}
	}
}

func (l *line) variants() {
	for _, f := range l.rules() {
		for _, v := range f.Unit.Variants {
			l.add(v.Name.Name, v.Title)
		}
	}
}

// systems resolves the variants that are meant, with the parameters of the files.
func (l *line) systems() []*rules.System {
	name := ""
	for i, w := range l.before {
		if w == "--variant" && i+1 < len(l.before) {
			name = l.before[i+1]
		}
	}
	var list []*rules.System
	for _, f := range l.rules() {
		for _, v := range f.Unit.Variants {
			if name == "" || v.Name.Name == name {
				if sys, diags := f.Unit.System(v, nil); !diags.HasErrors() {
					list = append(list, sys)
				}
			}
		}
	}
	return list
}

// fewValues is how many values of a parameter are listed.
const fewValues = 20

// params offers the names of parameters, and behind a name its values.
func (l *line) params(written string) {
	name, _, named := strings.Cut(written, "=")
	for _, sys := range l.systems() {
		for _, p := range sys.Params {
			switch {
			case !named:
				l.add(p.Name+"=", rangeOf(p))
				l.also = "value"
			case p.Name != name:
			case p.Bool:
				l.each(name + "=false " + name + "=true")
			case p.HasHi && p.Hi-p.Lo < fewValues:
				for n := p.Lo; n <= p.Hi; n++ {
					l.add(name+"="+strconv.Itoa(n), "")
				}
			}
		}
	}
	l.unique()
}

// rangeOf says which values a parameter has.
func rangeOf(p rules.Param) string {
	switch {
	case p.Bool:
		return "false or true"
	case p.HasHi:
		return fmt.Sprintf("%d to %d, usually %d", p.Lo, p.Hi, p.Value)
	}
	return fmt.Sprintf("%d and more, usually %d", p.Lo, p.Value)
}

// states offers the variables of the rules.
func (l *line) states() {
	for _, sys := range l.systems() {
		for _, v := range sys.Vars {
			l.add(v.Name+"=", "")
		}
	}
	l.players("mover=")
	l.unique()
	l.also = "value"
}

// strategies offers what players may follow.
func (l *line) strategies() {
	var names []string
	for _, f := range l.rules() {
		for _, s := range f.Unit.Strategies {
			names = append(names, s.Name.Name)
			l.add(s.Name.Name, "for all players")
		}
	}
	for _, sys := range l.systems() {
		for _, player := range sys.Players {
			for _, name := range append(names, "search:") {
				if player != "" {
					l.add(player+"="+name, "")
				}
			}
		}
	}
	l.unique()
	l.also = "value"
}

func (l *line) players(before string) {
	for _, sys := range l.systems() {
		for _, name := range sys.Players {
			if name != "" {
				l.add(before+name, "")
			}
		}
	}
	l.unique()
}

// unique leaves out what several files or variants offer.
func (l *line) unique() {
	seen := map[string]bool{}
	l.found = slices.DeleteFunc(l.found, func(w word) bool {
		was := seen[w.text]
		seen[w.text] = true
		return was
	})
}

// sentence is the first sentence of a text, on one line.
func sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if first, _, more := strings.Cut(text, ". "); more {
		return first
	}
	return strings.TrimSuffix(text, ".")
}

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

//go:embed completion
var completions embed.FS

// Run writes the completion script. The scripts ask the program what may stand on a command line.
func (c *completionCmd) Run(s *session) error {
	script, err := completions.ReadFile("completion/" + c.Shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(script)
	return err
}
