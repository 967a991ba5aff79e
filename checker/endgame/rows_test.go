package endgame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules/resolve/resolvetest"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// drawForward returns a game of two rows in which seeds are never sown backward.
func drawForward(t *rapid.T) string {
	pick := func(name string, options ...string) string {
		return rapid.SampledFrom(options).Draw(t, name)
	}
	m := rapid.IntRange(1, 3).Draw(t, "m")
	lap := pick("lap", "ccw_with_stores, skip their store", "ccw_with_stores")
	effect := pick("effect",
		"if last = my store { again }",
		"if last = my store { again } else if last in my house and last was empty { capture last, opposite(last) into my store }",
		"if last in my house and last was empty and opposite(last) > 0 { capture last, opposite(last) into my store }",
		"if last in their house and last in 2..3 { capture last into my store }",
		"if last in their house { take 1 from last into my store }",
		"if last in their house and last > 1 { capture last into their store again }",
		"while last in house and last > 1 and not last was empty { sow last along "+lap+" }",
		"while last in my house and last > 1 { sow last along "+lap+" }",
		"if mover = South and last = my store { again }",
		"if last in their house and last = 3 { capture last, opposite(last) into my store }",
		"if 6 div total(their house) = 2 { again }",
		"if 4 div (2 - last) = 2 { again }")
	sweep := pick("sweep", " { capture south into south_store capture north into north_store }", " { capture house into my store }", "")
	south := pick("south", "south_store", "south_store", "2 * south_store + 1", "south_store + total(south)", "south_store + 2 * south[1]", "3 * south_store")
	north := strings.TrimSuffix(strings.ReplaceAll(south, "south", "north"), " + 1")
	if !rapid.Bool().Draw(t, "fair") {
		north = pick("north", "north_store", "2 * north_store", "north_store + total(north)")
	}
	lines := []string{
		"variant Drawn {", "player South, North",
		fmt.Sprintf("board {\nnorth_store | north[%d..1] |\n| south[1..%d] | south_store\n}", m, m),
		"setup { each house = 1 }",
		pick("state", "", "", "state opened each player : bool", "state last_pit : house = none"),
		"move {", "choose from in my house where from > 0",
		"sow from along " + lap,
		pick("feeding", "", "", "", "require total(their house) > 0"),
		effect, "}",
		"end when " + pick("end", "total(south) = 0 or total(north) = 0", "total(house) = 0", "total(house) < 3", "no move") + sweep,
		pick("more", "", "", "end starved when no move"+sweep),
		"score South = " + south + ", North = " + north, "}",
	}

	switch {
	case strings.Contains(lines[4], "opened"):
		lines[9] += "\nif last = my store and not opened(mover) { opened(mover) = true again }"
	case strings.Contains(lines[4], "last_pit"):
		lines[6] += " and from /= last_pit"
		lines[9] += "\nif last in my house { last_pit = opposite(last) } else { last_pit = none }"
	}
	return strings.Join(lines, "\n")
}

// TestRows compares tables that were made by rows with those that were made position by position.
func TestRows(t *testing.T) {
	all, rows, unknown, controls, lopsided := 0, 0, 0, 0, 0
	rulestest.Check(t, func(r *rapid.T) {
		text := drawForward(r)
		r.Logf("%s", text)
		sys := resolvetest.System(t, resolvetest.Text(t, text), nil)
		payoff := value.Payoff{Kind: value.Margin, Endless: drawEndless(r)}
		seeds := rapid.IntRange(1, 7).Draw(r, "seeds")
		var tables [2]*Table
		for i := range tables {
			var err error
			opts := Options{Bounds: limit.Bounds{Threads: 1 + i}, bySteps: i == 1}
			if tables[i], err = Build(context.Background(), sys, seeds, payoff, opts); err != nil {
				if !errors.As(err, new(*value.NoTablesError)) && !errors.As(err, new(*CycleError)) {
					r.Fatal(err)
				}
				r.Skip(err)
			}
		}
		fast, slow := tables[0], tables[1]
		for i, l := range fast.layers {
			if l.Checksum != slow.layers[i].Checksum {
				r.Fatalf("layers of %d seeds differ", i)
			}
		}
		if !bytes.Equal(fast.futures, slow.futures) {
			r.Fatal("the tables differ")
		}
		if all++; byRows(fast) {
			rows++
			if slices.Contains(fast.futures, mark(noFuture)) {
				unknown++
			}
			if fast.positions.Ranker.Live() > 2*fast.positions.Ranker.Boards() {
				controls++
			}
			if fast.Swap() == nil {
				lopsided++
			}
		}
	})
	t.Logf("%d tables, %d by rows: %d with positions without a future, %d with variables, %d without a swap", all, rows, unknown, controls, lopsided)
	if all >= 50 && (rows < all/4 || unknown == 0 || controls == 0 || lopsided == 0 || lopsided == rows) {
		t.Error("some kind of table is missing")
	}
}
