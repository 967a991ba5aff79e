package residual

import "strings"

// Causes is a set of reasons why an action cannot be specialized where some fields vary, by bits.
type Causes uint8

// The reasons, as bits of Causes.
const (
	causeSown     = iota // it sows from a field that varies
	causeAsked           // it asks whether the next player can move
	causeCompared        // a condition reads more than one field that varies
	causeLong            // the script would be long
	causeResort          // no other action is legal
)

// Resort is the reason for an action that is the last resort.
const Resort Causes = 1 << causeResort

var causeWords = [...]string{
	causeSown:     "it sows from a pit of the other territory",
	causeAsked:    "whether the next player can move depends on more than the seeds of single pits",
	causeCompared: "a condition depends on several pits of the other territory",
	causeLong:     "it has too many cases",
	causeResort:   "no other move is legal",
}

// causeOf returns the reason why an operation of a kind cannot be executed.
func causeOf(k kind) int {
	switch k {
	case opSwitch, opSow, opPick, opLet, opPut, opTake, opShift:
		return causeSown
	case opNoMove:
		return causeAsked
	case opPause:
		return causeLong
	}
	return causeCompared
}

// String lists the reasons.
func (c Causes) String() string {
	var list []string
	for i, words := range causeWords {
		if c>>i&1 != 0 {
			list = append(list, words)
		}
	}
	return strings.Join(list, "; ")
}
