package graph

import "math"

// Never is the distance of a state from which the targets are not reached.
const Never = math.MaxInt32

// Attract returns for every state the fewest steps in which a player can force play to reach one of
// the targets, if the others delay it as long as they can: one step from a state of the player is
// enough, and all steps from a state of another. With mine nil all states are the player's, and it
// is the length of a shortest path.
//
// It goes backward from the targets, breadth first: so the distance of a state is known when enough
// of its steps are.
func Attract(states int, of Successors, mine []bool, targets []uint32) []int32 {
	distance, left := make([]int32, states), []int32(nil)
	for i := range distance {
		distance[i] = Never
	}
	if mine != nil {
		left = make([]int32, states)
		for i := range left {
			left[i] = int32(len(of(i)))
		}
	}
	for _, i := range targets {
		distance[i] = 0
	}
	back := Reverse(states, of)
	for queue := targets; len(queue) > 0; queue = queue[1:] {
		for _, i := range back.Of(int(queue[0])) {
			if distance[i] != Never {
				continue
			}
			if mine != nil && !mine[i] {
				if left[i]--; left[i] > 0 {
					continue
				}
			}
			distance[i] = distance[queue[0]] + 1
			queue = append(queue, i)
		}
	}
	return distance
}
