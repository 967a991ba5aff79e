// Package drawing draws boards for a browser: as SVG that is part of a page, and by a module of
// script that shows states, animates sowing and takes clicks and keys. Both draw a state alike.
//
//	layout.go   where the pits of a board lie, and the names of the players
//	seeds.go    where seeds lie in a pit
//	svg.go      the drawing of a state, from board.svg.tmpl
//	board.js    class Board, the same in a browser: an ES module
//	board.css   what both look like, in an element of class panel; its colours are variables, with
//	            values for light and dark
//	inline.go   modules as one script, for a page that needs nothing beside it
package drawing

import _ "embed"

// Script is the module with class Board. Its first comment says how it is used.
//
//go:embed board.js
var Script string

// Style is the style of the boards.
//
//go:embed board.css
var Style string
