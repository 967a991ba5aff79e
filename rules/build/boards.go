package build

import (
	"encoding/csv"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/build/body"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Files of boards. A claim over the boards of a file has one instance for each line. The first line
// names the columns. A column gives the seeds of a pit, the value of a parameter, or a number that
// the claim uses by the name of the column. Either all pits have a column or none has.

// boardFile is a file of boards that is being read.
type boardFile struct {
	name  string
	text  []byte
	lines []int    // the offset of each line
	mark  diag.Pos // the place computed last: columns are counted from there on, so that long lines take linear time
	diags *diag.List
}

// readBoards reads all lines of the file. After a mistake in one line it stops, since the same
// mistake is likely in the others.
func readBoards(f *ast.ForBoards, diags *diag.List) []*body.BoardLine {
	file := &boardFile{name: f.Name, text: f.Text, lines: []int{0}, diags: diags}
	for i, c := range f.Text {
		if c == '\n' {
			file.lines = append(file.lines, i+1)
		}
	}
	r := csv.NewReader(strings.NewReader(string(f.Text)))
	r.TrimLeadingSpace = true
	head, err := r.Read()
	if err != nil {
		file.broken(err, f)
		return nil
	}
	// Spreadsheet programs begin the file with a byte order mark.
	head[0] = strings.TrimPrefix(head[0], plain.ByteOrder)
	file.header(r, head)
	var out []*body.BoardLine
	for !diags.HasErrors() {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			file.broken(err, f)
			return nil
		}
		if len(out) == maxInstances {
			diags.Errorf(diag.TooBig, f.Range, "the file `%s` has more than %d boards", f.Path, maxInstances)
			return nil
		}
		out = append(out, file.line(r, head, record))
	}
	if len(out) == 0 && !diags.HasErrors() {
		diags.Errorf(diag.EmptyRange, f.Range, "the file `%s` has no board", f.Path)
	}
	return out
}

// place returns the range of a field. line and column are those of csv.Reader, from 1, where column
// counts bytes; columns in diagnostics count runes.
func (f *boardFile) place(line, column, length int) diag.Range {
	offset := min(f.lines[min(line, len(f.lines))-1]+column-1, len(f.text))
	if f.mark.Line != line || f.mark.Offset > offset {
		f.mark = diag.Pos{Offset: f.lines[min(line, len(f.lines))-1], Line: line, Column: 1}
	}
	start := diag.Pos{Offset: offset, Line: line, Column: f.mark.Column + utf8.RuneCount(f.text[f.mark.Offset:offset])}
	f.mark = start
	end := start
	end.Offset = min(offset+length, len(f.text))
	end.Column += utf8.RuneCount(f.text[offset:end.Offset])
	return diag.Range{File: f.name, Start: start, End: end}
}

// broken reports a file that is not CSV, or empty.
func (f *boardFile) broken(err error, from *ast.ForBoards) {
	var syntax *csv.ParseError
	switch {
	case errors.As(err, &syntax):
		f.diags.Errorf(diag.Picture, f.place(syntax.Line, max(syntax.Column, 1), 0), "%v", syntax.Err).
			WithHelp("each line has as many fields as the first, with commas between them")
	case err == io.EOF:
		f.diags.Errorf(diag.EmptyRange, from.Range, "the file `%s` is empty", from.Path)
	default:
		f.diags.Errorf(diag.Picture, from.Range, "%v", err)
	}
}

// header checks the names of the columns and trims them in place.
func (f *boardFile) header(r *csv.Reader, head []string) {
	seen := make(map[string]bool, len(head))
	for i := range head {
		head[i] = strings.TrimSpace(head[i])
		line, column := r.FieldPos(i)
		at := f.place(line, column, len(head[i]))
		switch {
		case head[i] == "":
			f.diags.Errorf(diag.Picture, at, "this column has no name")
		case seen[head[i]]:
			f.diags.Errorf(diag.Duplicate, at, "a second column `%s`", head[i])
		}
		seen[head[i]] = true
	}
}

// line reads the numbers of a line. A mistake is reported and leaves 0 in its cell.
func (f *boardFile) line(r *csv.Reader, head, record []string) *body.BoardLine {
	number, _ := r.FieldPos(0)
	out := &body.BoardLine{Number: number, Place: f.place(number, 1, 1)}
	for i, text := range record {
		line, column := r.FieldPos(i)
		at := f.place(line, column, len(text))
		n, err := num.Parse(strings.TrimSpace(text))
		switch {
		case err == num.ErrRange:
			f.diags.Errorf(diag.TooBig, at, "%s is beyond the range of numbers", text).WithHelp("%s", rules.RangeHelp)
		case err != nil:
			f.diags.Errorf(diag.Picture, at, "`%s` is no whole number", strings.TrimSpace(text)).WithHelp("this is column `%s`", head[i])
		}
		out.Cells = append(out.Cells, body.BoardCell{Column: head[i], N: n, Place: at})
	}
	return out
}

// boards lists the lines of the claim's file of boards, or nil if it has none. Boards are for
// claims that ask about positions; others are about all starts.
func (c *Claim) boards(diags *diag.List) []*body.BoardLine {
	if c.list == nil {
		return nil
	}
	switch any(c.ast.Property).(type) { // others have none
	case *ast.Value, *ast.Winner, *ast.Best, *ast.Force:
	default:
		diags.Errorf(diag.BadClause, c.list.Range, "boards of a file are for claims about values, and about what can be forced")
		return nil
	}
	if c.begin != nil {
		diags.Errorf(diag.BadClause, c.list.Range, "games begin at the position `%s`", c.begin.Name.Name).
			WithHelp("leave out `starting at`, or the file")
		return nil
	}
	return readBoards(c.list, diags)
}

// setsOf returns s with the values that the line gives to parameters. The command line has
// precedence.
func setsOf(l *body.BoardLine, v *ast.Variant, s, given board.Settings) board.Settings {
	out := maps.Collect(maps.All(s))
	names := ParamNames(v)
	for _, cell := range l.Cells {
		if _, set := given[cell.Column]; !set && slices.Contains(names, cell.Column) {
			out[cell.Column] = board.Value{N: cell.N, At: cell.Place}
		}
	}
	return out
}

// columns binds the names of columns that are neither pits nor parameters to their numbers, for use
// in the claim. The claim has to use each: otherwise a misspelt name would go unnoticed.
func (e *assertion) columns(l *body.BoardLine, claim *ast.Claim) {
	used := map[*bind.Symbol]bool{}
	for _, n := range ast.All[*ast.Name](claim.Property) {
		used[e.env.Ref(n).Symbol] = true
	}
	for _, cell := range l.Cells {
		e.env.Game.Run.Spend(1)
		column, declared := e.env.Game.Bound.Column(e.of.Claim.list, cell.Column), e.env.Game.Bound.Symbol(cell.Column)
		switch {
		case e.env.Game.Sys.PitNamed(cell.Column) != rules.None, declared != nil && declared.Kind == bind.ParamName:
		case declared != nil && declared.Kind != bind.ValueName:
			e.env.Game.Run.Diags.Errorf(diag.Duplicate, cell.Place, "the column `%s` has the name of %s", cell.Column, declared.Kind.Article())
		case column == nil || !used[column]:
			names := lists.Map(e.env.Game.Sys.Pits, func(p rules.Pit) string { return p.Name })
			bind.Suggest(e.env.Game.Run.Diags.Errorf(diag.Unknown, cell.Place, "the column `%s` is no pit and no parameter, and the claim does not use it", cell.Column), cell.Column, names)
		default:
			e.env.Bind(column, term.Number(rules.Number(cell.N)))
		}
	}
}
