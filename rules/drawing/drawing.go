// Package drawing draws boards for a browser: as SVG that is part of a page, and by a module of
// script that shows states, animates sowing and takes clicks and keys. Both draw a state alike.
//
//	drawing.go  the script and the style, modules as one script, and where seeds lie in a pit
//	layout.go   where the pits of a board lie, and the names of the players
//	svg.go      the drawing of a state, from board.svg.tmpl
//	board.js    class Board, the same in a browser: an ES module
//	board.css   what both look like, in an element of class panel; its colours are variables, with
//	            values for light and dark
package drawing

import (
	_ "embed"
	"math"
	"regexp"
	"strings"
)

// Script is the module with class Board. Its first comment says how it is used.
//
//go:embed board.js
var Script string

// Style is the style of the boards.
//
//go:embed board.css
var Style string

// maxDots is the greatest number of seeds that is drawn as dots.
const maxDots = 18

// Dots are the places of the seeds in a pit, from its middle, by their number. A pit with more
// seeds than it has places for looks full: numbers stand under all pits.
var Dots = func() (all [maxDots + 1][][2]int) {
	all[0] = [][2]int{}
	outerRing := [...]float64{0, 0, 4.5, 5.5, 6.7, 9, 9, 9, 10, 12, 12, 12, 13, 14, 14, 14, 14, 14, 14}
	for n := 1; n <= maxDots; n++ {
		inner, outer := rings(n)
		all[n] = append(ring(inner, [...]float64{0, 0, 4, 4.3, 5.2, 6.2, 7}[inner]), ring(outer, outerRing[n])...)
	}
	return all
}()

// rings splits seeds among two rings; one alone lies in the middle.
func rings(n int) (inner, outer int) {
	switch {
	case n >= 10:
		inner = [...]int{2, 3, 3, 3, 4, 4, 5, 6, 6}[n-10]
		return inner, n - inner
	case n == 1 || n >= 5:
		return 1, n - 1
	}
	return 0, n
}

// ring is n places on a circle, the first one on top.
func ring(n int, radius float64) (list [][2]int) {
	if n == 1 {
		return [][2]int{{0, 0}}
	}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		list = append(list, [2]int{int(math.Round(radius * sin)), int(math.Round(-radius * cos))})
	}
	return list
}

// imported is an import of names from another module, and exported the word before a declaration.
var (
	imported = regexp.MustCompile(`(?m)^import \{[^}]*\} from "[^"]*";\n`)
	exported = regexp.MustCompile(`(?m)^export `)
)

// Inline makes one script of modules that import from each other by the names that these have
// themselves. A module stands after those that it imports from, and what it declares is known to
// those after it: no two may declare the same name.
func Inline(modules ...string) string {
	text := strings.Join(modules, "\n")
	return "\"use strict\";\n{\n" + exported.ReplaceAllString(imported.ReplaceAllString(text, ""), "") + "}\n"
}
