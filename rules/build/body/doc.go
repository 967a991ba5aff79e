// Package body builds what happens in play: starts, moves with all choices made, endings,
// reactions and scores, with the statements of their bodies.
//
//	setup.go      starts; position.go: games that begin at a position instead
//	moves.go      moves; choices.go: the ways to make a choice; ways.go, goon.go: laps that are moves
//	reactions.go  endings, reactions, and the rule of repetition
//	stmts.go      statements; sowings.go: sowings, relays and chains; slots.go: values kept in locals
package body
