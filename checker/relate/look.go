package relate

import "slices"

// look is how the game stands for one or both players who ended it.
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
