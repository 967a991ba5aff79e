package rules

import "github.com/mancheck/mancheck/dsl/num"

// Reflection turns the picture of the board over and maps each pit to the one in whose place it
// comes. A pit that would come where the picture has no part of the same size keeps its row, as
// does a store that stands alone in its column. Pits that are not in the picture stay where they
// are. ok is false if a pit has no place, or if turning the picture over twice does not restore it.
func (s *System) Reflection(leftRight, topBottom bool) (pits []int, ok bool) {
	pits = num.Run(0, len(s.Pits))
	for r, row := range s.Picture {
		for k, part := range row {
			to, near := r, k
			if leftRight {
				near = len(row) - 1 - k
			}
			if topBottom {
				to = len(s.Picture) - 1 - r
			}
			image, ok := s.partAt(to, near, len(part))
			if !ok {
				image, ok = s.partAt(r, near, len(part))
			}
			if !ok {
				return nil, false
			}
			for i, p := range part {
				if pits[p] = image[i]; leftRight {
					pits[p] = image[len(part)-1-i]
				}
			}
		}
	}
	for p, q := range pits {
		if pits[q] != p {
			return nil, false
		}
	}
	return pits, true
}

// partAt returns a part of the picture if it has size pits.
func (s *System) partAt(row, part, size int) ([]int, bool) {
	if part >= len(s.Picture[row]) || len(s.Picture[row][part]) != size {
		return nil, false
	}
	return s.Picture[row][part], true
}
