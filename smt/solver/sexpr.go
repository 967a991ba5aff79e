package solver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
)

// Limits on one reply: what exceeds them answers no question asked here.
const (
	maxReply = 16 << 20 // bytes
	maxDepth = 64
)

var (
	errReplyTooLong = fmt.Errorf("a reply of more than %d MiB", maxReply>>20)
	errReplyTooDeep = fmt.Errorf("a reply nested more than %d deep", maxDepth)
	errParenthesis  = errors.New("an unmatched closing parenthesis")
)

// sexpr is an s-expression: a list or an atom. The atoms of strings and |symbols| have no quotes.
type sexpr struct {
	atom string
	list []sexpr
	kind kind
}

type kind int

const (
	symbolKind kind = iota // symbols, numerals, keywords
	stringKind
	listKind
)

// String writes s as it was read, except for spaces and bars, for messages.
func (s sexpr) String() string {
	switch s.kind {
	case stringKind:
		return `"` + s.atom + `"`
	case listKind:
		parts := lists.Map(s.list, func(x sexpr) string { return x.String() })
		return "(" + strings.Join(parts, " ") + ")"
	}
	return s.atom
}

// head returns the symbol that a list begins with, or "".
func (s sexpr) head() string {
	if len(s.list) == 0 || s.list[0].kind != symbolKind {
		return ""
	}
	return s.list[0].atom
}

// reader reads s-expressions from a solver's output, within limits.
type reader struct {
	src  *bufio.Reader
	room int // bytes left for the expression being read
}

func newReader(src io.Reader) *reader { return &reader{src: bufio.NewReader(src)} }

// read reads one expression. The error is io.EOF at the end of the input, and io.ErrUnexpectedEOF
// inside an expression.
func (r *reader) read() (sexpr, error) {
	r.room = maxReply
	c, err := r.skip()
	if err != nil {
		return sexpr{}, err
	}
	s, err := r.expr(c, 0)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return s, err
}

// expr reads the expression that begins with c.
func (r *reader) expr(c byte, depth int) (sexpr, error) {
	switch c {
	case '(':
		return r.items(depth + 1)
	case ')':
		return sexpr{}, errParenthesis
	case '"':
		return r.quoted('"', stringKind)
	case '|':
		return r.quoted('|', symbolKind)
	}
	return r.symbol(c)
}

func (r *reader) items(depth int) (sexpr, error) {
	if depth > maxDepth {
		return sexpr{}, errReplyTooDeep
	}
	s := sexpr{kind: listKind}
	for {
		c, err := r.skip()
		if err != nil || c == ')' {
			return s, err
		}
		item, err := r.expr(c, depth)
		if err != nil {
			return s, err
		}
		s.list = append(s.list, item)
	}
}

// quoted reads up to the closing quote; in strings a doubled quote stands for one.
func (r *reader) quoted(quote byte, k kind) (sexpr, error) {
	var text strings.Builder
	for {
		c, err := r.next()
		if err != nil {
			return sexpr{}, err
		}
		if c == quote {
			if quote != '"' || !r.follows(quote) {
				return sexpr{atom: text.String(), kind: k}, nil
			}
			_, _ = r.next() // there is one: it was seen
		}
		text.WriteByte(c)
	}
}

// follows reports whether c is next. Like symbol it waits for the following byte, at least the end
// of the line.
func (r *reader) follows(c byte) bool {
	b, err := r.src.Peek(1)
	return err == nil && b[0] == c
}

func (r *reader) symbol(first byte) (sexpr, error) {
	text := []byte{first}
	for {
		c, err := r.next()
		if err == io.EOF {
			return sexpr{atom: string(text)}, nil
		}
		if err != nil {
			return sexpr{}, err
		}
		if strings.IndexByte(" \t\r\n()\";|", c) >= 0 {
			return sexpr{atom: string(text)}, r.src.UnreadByte()
		}
		text = append(text, c)
	}
}

// skip returns the next byte that is neither space nor in a comment.
func (r *reader) skip() (byte, error) {
	comment := false
	for {
		c, err := r.next()
		switch {
		case err != nil:
			return 0, err
		case c == ';':
			comment = true
		case c == '\n':
			comment = false
		case !comment && c != ' ' && c != '\t' && c != '\r':
			return c, nil
		}
	}
}

func (r *reader) next() (byte, error) {
	if r.room <= 0 {
		return 0, errReplyTooLong
	}
	r.room--
	return r.src.ReadByte()
}
