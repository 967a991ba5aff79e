package rulestest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// Rows draws a game of two rows, each of which one player sows from. Seeds may go round and round,
// unless it is forward.
func Rows(t *rapid.T, forward bool) string {
	pick := func(name string, options ...string) string {
		return rapid.SampledFrom(options).Draw(t, name)
	}
	m := rapid.IntRange(1, 3).Draw(t, "m")
	laps := []string{"ccw_with_stores, skip their store", "ccw_with_stores"}
	if !forward {
		laps = []string{"ccw", "ccw, skip origin", "cw", laps[0]}
	}
	lap := pick("lap", laps...)
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
	fallback := ""
	if !forward && rapid.Bool().Draw(t, "fallback") {
		fallback = "move starve when " + pick("divides", "", "", "12 div (total(house) - 3) /= 5 and ") + "no other move {\nchoose from in my house where from > 0\nsow from along " + lap + "\n" + effect + "\n}"
		fallback += pick("another", "", "\nmove rest when no other move or total(house) < 4 {\nchoose from in my house where from > 1\nsow from along "+lap+"\n}")
	}
	lines := []string{
		"variant Drawn {", "player South, North",
		fmt.Sprintf("board {\nnorth_store | north[%d..1] |\n| south[1..%d] | south_store\n}", m, m),
		"setup { each house = 1 }",
		pick("state", "", "", "state opened each player : bool", "state last_pit : house = none"),
		"move {", "choose from in my house where from > 0",
		"sow from along " + lap,
		pick("feeding", "", "", "", "require total(their house) > 0"),
		effect, "}", fallback,
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
