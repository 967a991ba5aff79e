// Package term builds expressions of the kernel from those of the text: values with their types,
// sets of pits, laps, and what the names of a variant are in its System.
//
//	value.go         values on the way to rules.Expr, with their types
//	names.go         Scope: what the symbols of a variant are in its System; outcomes.go, spare.go
//	layout.go        pits by group and number; picture.go: as drawn
//	budget.go        Run: mistakes, and the work that may still be done
//	sets.go          sets of pits, and seeds
//	conversions.go   what is wanted in the place of values; conditional.go: one of two
//	laps.go          laps, fixed or decided by play
//	words.go         words of the language, local names
//	exprs.go         Env: expressions at one place of the text, a function for each kind in
//	                 exprs.go, calls.go, defines.go and claimnames.go
//	ghosts.go        what claims about steps ask of the latest move
//	domain.go        what a name goes through; bounds of numbers
//
// Mistakes are collected in diagnostics rather than returned one at a time. After a mistake there
// is a value that fits everywhere, so that the mistake is told once.
package term
