package everysize_test

import "strings"

// dose is a game like that of DOSE 2015, of which a closed set shows that it cannot be won.
var dose = &base{name: "Dose", kinds: []string{"lost"}, group: "hole", store: "store01", size: "n", mine: "store01", house: "hole", lap: "clockwise"}

// dose writes the variant.
func (d *draft) dose() string {
	return strings.NewReplacer("PARAMS", d.params, "LINES", d.lines, "STATE", d.state+d.items, "WHEN", d.when, "BODY", d.before, "AFTER", d.body, "MORE", d.moves+d.endings, "LABEL", d.label).Replace(`variant Dose {
  param n = 6 in 1..
  param stones = 90 in 2*n..
PARAMS  board {
    store01 | hole[01..n]    | store02
            | hole[n+1..2*n] |
    ring clockwise     = hole[1..n], store02, hole[2*n..n+1], store01
    ring anticlockwise = reverse clockwise
    group store = store01, store02
LINES  }
  state selected : hole = none
STATE  setup SR002 { any where each hole >= 1, total(hole) = stones }
  move SR003 when selected = none { choose selected in hole }
  move SR004 when selected /= none {
    choose dir in { clockwise as C "SR004(A)", anticlockwise as A "SR004(B)" }
    written selected dir
BODY    sow selected along dir, store takes only the last
AFTER    if last in store { selected = before(last) }
    else if last was empty { lose SR005 }
    else { selected = last }
  }
MORE  win SR006 when total(hole) = 0
}
`)
}
