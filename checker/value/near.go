package value

import "github.com/mancheck/mancheck/rules"

// mostNear bounds nearness. It is less than the promise of a seed that is won.
const mostNear = 1 << (gainShift - 2)

// nearness says for each action how near the pit that it sows from is to where seeds leave the
// pits of the player, as to the store: the fewer steps along the lap that takes, the greater it is.
// Sowings from near pits are better tried first. In Kalah, where such a sowing is more often one
// that ends in the store, the other order takes up to ten times as many positions.
func nearness(sys *rules.System) []int {
	list := make([]int, len(sys.Actions))
	own := make([][]bool, len(sys.Players)) // pits that are sown from
	for p := range own {
		own[p] = make([]bool, len(sys.Pits))
	}
	for i := range sys.Actions {
		if sow, pit := rules.FirstSow(sys.Actions[i].Body); sow != nil {
			own[sys.Actions[i].Mover][pit] = true
		}
	}
	for i := range sys.Actions {
		sow, pit := rules.FirstSow(sys.Actions[i].Body)
		if sow == nil {
			continue
		}
		lap, steps := &sys.Laps[sow.Lap], 0
		for at := pit; at != rules.None && own[sys.Actions[i].Mover][at] && steps < mostNear; steps++ {
			at = lap.Next[at]
		}
		list[i] = mostNear - steps
	}
	return list
}
