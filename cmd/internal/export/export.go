// Package export writes plays and graphs of states in formats of other programs.
//
//	itf.go        a play as a trace in ITF
//	positions.go  the states of a play as positions, for a file of rules
//	graph.go      the states that are reached, to a limit; dot.go for Graphviz, json.go as JSON
package export
