package rules

// Most expressions consist of few different constants and of cells with a fixed number, and a run
// of many claims keeps hundreds of thousands of them. So small ones are made once.

// fewTypes and fewValues bound what is made once: constants of the first types with values from
// None up, and cells with the first numbers.
const (
	fewTypes  = firstEnum + 3
	fewValues = 128
)

var (
	constants = makeConstants()
	cells     = makeCells()
)

func makeConstants() (made [fewTypes][fewValues + 1]Expr) {
	for t := range made {
		for i := range made[t] {
			made[t][i] = Const{i + None, Type(t)}
		}
	}
	return made
}

func makeCells() (made [RegisterCell + 1][fewValues]Expr) {
	for sort := range made {
		for slot := range made[sort] {
			made[sort][slot] = Cell{Sort: Sort(sort), Slot: slot}
		}
	}
	return made
}

// fixed returns a constant as an expression.
func fixed(c Const) Expr {
	if c.Type >= 0 && c.Type < fewTypes && c.Value >= None && c.Value < fewValues+None {
		return constants[c.Type][c.Value-None]
	}
	return c
}

// fixedCell returns the cell with this number, which no fault can concern, as an expression.
func fixedCell(sort Sort, slot int) Expr {
	if slot >= 0 && slot < fewValues {
		return cells[sort][slot]
	}
	return Cell{Sort: sort, Slot: slot}
}
