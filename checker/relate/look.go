package relate

import "slices"

// look describes a finished game, given how it ended for each player, or for the only one. A nil
// list means that the game goes on.
func look(ended []standing) Look {
	switch {
	case ended == nil:
		return Look{Is: GoesOn}
	case ended[0] == endless:
		return Look{Is: NeverEnds}
	case len(ended) == 1:
		return Look{Is: [...]Stand{Over, Won, Lost, Drawn}[ended[0]]}
	}
	if p := slices.Index(ended, wins); p >= 0 {
		return Look{Is: WonBy, Player: p}
	}
	if slices.Contains(ended, draws) {
		return Look{Is: Drawn}
	}
	return Look{Is: NobodyWon}
}
