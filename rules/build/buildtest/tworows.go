package buildtest

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
)

// TwoRows draws a game of two players with a row of houses and a store each, of which the rules are
// picked from those of the mancala family: where seeds are sown, when a player moves again, what is
// captured, how the game ends, and what counts. In most of them seeds that are in a store have left
// play; in some play can go on for ever, somebody may be unable to move, or it is not said who has
// won. Some have several starts. Some are the same for both players, and some are so but for the
// score. Either player may begin. Boards are small.
func TwoRows(tb testing.TB, t *rapid.T) *rules.System {
	text := TwoRowsText(t)
	t.Logf("%s", text)
	u := Text(tb, text)
	return System(tb, u, nil)
}

// TwoRowsText is the text of such a game, called Drawn.
func TwoRowsText(t *rapid.T) string {
	pick := func(name string, options ...string) string {
		return rapid.SampledFrom(options).Draw(t, name)
	}
	m := rapid.IntRange(1, 3).Draw(t, "m")
	most := 3
	if m == 3 {
		most = 2
	}
	var b strings.Builder
	line := func(indent int, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); text != "" {
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", indent), text)
		}
	}
	line(0, "variant Drawn {")
	line(1, "player South, North")
	line(1, "board {\n    north_store | north[%d..1] |\n    | south[1..%d] | south_store\n  }", m, m)
	n, begins := rapid.IntRange(1, most).Draw(t, "n"), pick("begins", "", "", ", mover = South", ", mover = North")
	if rapid.IntRange(0, 3).Draw(t, "starts") > 0 {
		line(1, "setup { each house = %d%s }", n, begins)
	} else {
		line(1, "setup { any where total(house) = %d%s }", n, begins)
	}
	state := pick("state", "", "", "", "", "opened each player : bool", "taboo : house = none")
	taboo, opened := strings.HasPrefix(state, "taboo"), strings.HasPrefix(state, "opened")
	if state != "" {
		line(1, "state %s", state)
	}
	line(1, "move {")
	if taboo {
		line(2, "choose from in my house where from > 0 and from /= taboo")
	} else {
		line(2, "choose from in my house where from > 0")
	}
	line(2, "sow from along %s", pick("lap", "ccw_with_stores, skip their store", "ccw_with_stores", "ccw_with_stores, skip their store", "ccw", "ccw, skip origin", "cw"))
	line(2, "%s", pick("feeding", "", "", "", "require total(their house) > 0"))
	line(2, "%s", pick("effect",
		"if last = my store { again }",
		"if last = my store { again } else if last in my house and last was empty { capture last, opposite(last) into my store }",
		"if last in my house and last was empty and opposite(last) > 0 { capture last, opposite(last) into my store }",
		"if last in their house and last in 2..3 { capture last into my store }",
		"if last was empty { capture opposite(last) into my store } else { again }",
		"while last in house and last > 1 and not last was empty { sow last along ccw }",
		"if last in their house { take 1 from last into my store }",
		"if mover = South and last = my store { again }",
		"if last in their house and last > 1 { capture last into opposite(last) }",
		"capture p back from last while p in their house and p in 2..3 into my store",
		"capture p back from last while p in {1, 2, 4} into my store",
		"let lot = 0\n    let p = last\n    while p in their house and p in 2..3 {\n      lot = lot + seeds(p)\n      p = before(p)\n    }\n"+
			"    if lot < total(their house) { capture q back from last while q in their house and q in 2..3 into my store }",
	))
	line(2, "%s", pick("fed", "", "", "", "require total(their house) > 0"))
	if taboo {
		line(2, "if last in my house { taboo = opposite(last) } else { taboo = none }")
	}
	if opened {
		line(2, "if last = my store and not opened(mover) {\n      opened(mover) = true\n      again\n    }")
	}
	line(1, "}")
	sweep := pick("sweep", " { capture south into south_store capture north into north_store }", " { capture house into my store }", "")
	line(1, "end when %s%s", pick("end", "total(south) = 0 or total(north) = 0", "total(house) = 0", "total(house) < 2", "total(house) < 3", "no move"), sweep)
	line(1, "%s", pick("more", "", "end starved when no move"+sweep, "South wins when south_store > 3", "opponent wins when no move", "draw when total(house) = 1",
		"draw when south_store = north_store + 1 and total(house) < 4"))
	south := pick("south", "south_store", "south_store", "2 * south_store + 1", "south_store + total(south)", "total(south)")
	north := strings.TrimSuffix(strings.ReplaceAll(south, "south", "north"), " + 1")
	if !rapid.Bool().Draw(t, "fair") {
		north = pick("north", "north_store", "north_store", "north_store - total(north)")
	}
	if rapid.IntRange(0, 7).Draw(t, "scored") > 0 {
		line(1, "score South = %s, North = %s", south, north)
	}
	line(0, "}")
	return b.String()
}
