// Package export writes plays and graphs of states in formats of other programs.
//
//	itf.go        a play as a trace in ITF
//	positions.go  the states of a play as positions, for a file of rules
//	graph.go      the states that are reached, to a limit, and as JSON; dot.go for Graphviz
package export
