package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

// mutator makes one file by changes drawn at random.
type mutator struct {
	*rand.Rand
	texts [][]byte
	text  []byte
}

// newMutator makes one whose changes depend on the seed alone, so that a run can be repeated.
func newMutator(seed uint64, texts [][]byte) *mutator {
	return &mutator{Rand: rand.New(rand.NewPCG(seed, 1)), texts: texts}
}

// mostText bounds the size of a file in bytes, so that repeated repetitions do not fill the disk.
// It is more than the program reads.
const mostText = 5 << 20

// file is a file of the corpus with changes: by the grammar, or up to four that know nothing of it.
func (m *mutator) file() []byte {
	if m.IntN(5) > 0 {
		return m.grammatical()
	}
	m.text = bytes.Clone(m.other())
	changes := []func(){
		m.inflate, m.inflate, m.inflate, m.widen, m.tokens, m.lines, m.cut, m.repeat, m.splice, m.nest, m.loops, m.garbage,
	}
	for range 1 + m.IntN(4) {
		changes[m.IntN(len(changes))]()
		if len(m.text) > mostText {
			m.text = m.text[:mostText]
		}
	}
	return m.text
}

// command draws a command line about the file. Half of them are check, which has the most to do.
func (m *mutator) command(path string) []string {
	limits := []string{path, "--timeout", timeout, "--max-memory", memory}
	name := "check"
	if m.IntN(2) == 0 {
		names := []string{"moves", "vet", "show", "fmt", "count", "value"}
		name = names[m.IntN(len(names))]
	}
	args := append([]string{name}, limits...)
	if name == "check" && m.IntN(4) == 0 {
		args = append(args, "--certify")
	}
	if name != "fmt" && m.IntN(4) == 0 {
		args = append(args, "--format", "json")
	}
	return args
}

// other draws a file of the corpus.
func (m *mutator) other() []byte { return m.texts[m.IntN(len(m.texts))] }

// numbers are near the limits of the language and of the machine.
var numbers = []string{
	"0", "1", "2", "3", "7", "10", "20", "48", "100", "250", "500", "1000", "2000", "4094", "4095", "4096", "9999", "50000", "99999", "900000", "1000000",
	"1000000000", "4611686018427387903", "4611686018427387904", "99999999999999999999",
}

func (m *mutator) number() string { return numbers[m.IntN(len(numbers))] }

// What changes look for. They are approximate: a change may as well break the file.
var (
	digits = regexp.MustCompile(`[0-9]+`)
	token  = regexp.MustCompile(`[A-Za-z_]+|[0-9]+|"[^"\n]*"|[^\sA-Za-z_0-9]`)
	span   = regexp.MustCompile(`\[[^\]\n]*\.\.[^\]\n]*\]`)
	block  = regexp.MustCompile(`\{[^{}]*\}`)
	expr   = regexp.MustCompile(`[a-z_]+ (=|>|<=?) [0-9a-z]+`)
)

// replace replaces a random match of an expression, if there is any.
func (m *mutator) replace(what *regexp.Regexp, by func(old []byte) string) {
	found := what.FindAllIndex(m.text, -1)
	if len(found) == 0 {
		return
	}
	at := found[m.IntN(len(found))]
	m.put(at[0], at[1], by(m.text[at[0]:at[1]]))
}

// put replaces the bytes from from to to. It copies, because texts of the corpus are shared.
func (m *mutator) put(from, to int, by string) {
	m.text = append(append(bytes.Clone(m.text[:from]), by...), m.text[to:]...)
}

// inflate changes a number: the size of a board, a number of seeds, a bound.
func (m *mutator) inflate() { m.replace(digits, func([]byte) string { return m.number() }) }

// widen changes the length of a row of pits.
func (m *mutator) widen() {
	m.replace(span, func([]byte) string { return "[1.." + m.number() + "]" })
}

// tokens deletes a token, doubles it, or puts one of another file in its place.
func (m *mutator) tokens() {
	for range 1 + m.IntN(3) {
		m.replace(token, func(old []byte) string {
			switch m.IntN(3) {
			case 0:
				return ""
			case 1:
				return string(old) + " " + string(old)
			}
			all := token.FindAll(m.other(), -1)
			return string(all[m.IntN(len(all))])
		})
	}
}

// lines deletes, doubles or moves lines.
func (m *mutator) lines() {
	all := strings.SplitAfter(string(m.text), "\n")
	for range 1 + m.IntN(3) {
		i, j := m.IntN(len(all)), m.IntN(len(all))
		switch m.IntN(3) {
		case 0:
			all[i] = ""
		case 1:
			all[i] += all[i]
		default:
			all[i], all[j] = all[j], all[i]
		}
	}
	m.text = []byte(strings.Join(all, ""))
}

// cut deletes a stretch.
func (m *mutator) cut() {
	from := m.IntN(len(m.text) + 1)
	m.put(from, min(len(m.text), from+m.IntN(200)), "")
}

// often draws how many times something is repeated.
func (m *mutator) often() int {
	return []int{2, 3, 10, 50, 200, 400, 2000, 20000}[m.IntN(8)]
}

// repeated is a text repeated, up to about mostText.
func (m *mutator) repeated(text string) string {
	return strings.Repeat(text, min(m.often(), 1+mostText/max(1, len(text))))
}

// repeat repeats a line, or what stands in braces.
func (m *mutator) repeat() {
	if m.IntN(2) == 0 {
		all := strings.SplitAfter(string(m.text), "\n")
		i := m.IntN(len(all))
		all[i] = m.repeated(all[i])
		m.text = []byte(strings.Join(all, ""))
		return
	}
	m.replace(block, func(old []byte) string { return "{" + m.repeated(string(old[1:len(old)-1])+"\n") + "}" })
}

// splice inserts a stretch of another file.
func (m *mutator) splice() {
	other := m.other()
	from := m.IntN(len(other))
	to := min(len(other), from+m.IntN(1000))
	at := m.IntN(len(m.text) + 1)
	m.put(at, at, string(other[from:to]))
}

// nest makes an expression deep or long.
func (m *mutator) nest() {
	n := m.often()
	m.replace(expr, func(old []byte) string {
		switch m.IntN(3) {
		case 0:
			return strings.Repeat("(", n) + string(old) + strings.Repeat(")", n)
		case 1:
			return "not " + strings.Repeat("not ", n) + string(old)
		}
		return string(old) + strings.Repeat(" and "+string(old), n)
	})
}

// loops puts nested loops around what stands in braces.
func (m *mutator) loops() {
	m.replace(block, func(old []byte) string {
		body := string(old[1 : len(old)-1])
		for i := range 1 + m.IntN(6) {
			body = fmt.Sprintf("for loop%d in 1..%s { %s }", i, m.number(), body)
		}
		return "{ " + body + " }"
	})
}

// garbage inserts one text many times: brackets that do not close, long lines, comments, bytes that
// are no text.
func (m *mutator) garbage() {
	what := []string{"(", "{", "[", "a ", "1 ", "\n", "// x\n", "\"", "é", "\x00", "}", "-", "not "}[m.IntN(13)]
	at := m.IntN(len(m.text) + 1)
	m.put(at, at, strings.Repeat(what, []int{1, 1, 10, 1000, 100000, 4000000}[m.IntN(6)]))
}
