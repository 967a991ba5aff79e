package rules

import "slices"

// PairPits pairs the pits of two Systems whose boards are compared: those of the first laps by
// position, all others by name. An ignored pit is in no pair, nor is the one in its position.
// unpaired lists, for each System, the other pits without a counterpart.
func PairPits(a, b *System, leftOut [2][]bool) (pairs [][2]int, unpaired [2][]int) {
	out := func(side, pit int) bool { return leftOut[side] != nil && leftOut[side][pit] }
	laps := [2][]int{a.firstLap(), b.firstLap()}
	for k := range min(len(laps[0]), len(laps[1])) {
		if p, q := laps[0][k], laps[1][k]; !out(0, p) && !out(1, q) {
			pairs = append(pairs, [2]int{p, q})
		}
	}
	paired := make([]bool, len(b.Pits))
	for p := range a.Pits {
		q := b.PitNamed(a.Pits[p].Name)
		switch {
		case slices.Contains(laps[0], p) || out(0, p):
		case q == None || slices.Contains(laps[1], q):
			unpaired[0] = append(unpaired[0], p)
		default:
			if paired[q] = true; !out(1, q) {
				pairs = append(pairs, [2]int{p, q})
			}
		}
	}
	for q := range b.Pits {
		if !paired[q] && !slices.Contains(laps[1], q) && !out(1, q) {
			unpaired[1] = append(unpaired[1], q)
		}
	}
	return pairs, unpaired
}

func (s *System) firstLap() []int {
	if len(s.Laps) == 0 {
		return nil
	}
	return s.Laps[0].Pits
}
