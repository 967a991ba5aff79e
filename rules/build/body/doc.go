// Package body builds what happens in play: starts, moves with all choices made, endings,
// reactions and scores, with the statements of their bodies.
//
//	setup.go      starts; position.go: games that begin at a position instead
//	moves.go      moves; choices.go: the ways to make a choice
//	ways.go       laps that are moves, with goon.go
//	reactions.go  endings, reactions, and the rule of repetition
//	stmts.go      statements; slots.go: values kept in locals
//	sowings.go    sowings, relays and chains
package body
