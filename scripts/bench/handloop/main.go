// Command handloop counts the states of a game with a loop written for that game alone: the
// yardstick of docs/performance.md. It imports nothing of mancheck.
//
//	go run ./scripts/bench/handloop kalah 4 3
package main

import (
	"fmt"
	"log"
	"os"
	"runtime/debug"
	"strconv"
)

// game is what a search needs to know.
type game interface {
	starts() []uint64
	most() int                           // moves in a state, at most
	moves(state uint64, to []uint64) int // the states after each move from one in which the game is not over
}

// games are made from the number of houses, and of seeds in each house or in all.
var games = map[string]func(m, n int) (game, bool){
	"kalah": newKalah, "congkak": newCongkak, "oware": newOware, "dose": newDose,
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("handloop: ")
	if len(os.Args) != 4 || games[os.Args[1]] == nil {
		log.Fatal("usage: handloop kalah|congkak|oware|dose HOUSES SEEDS")
	}
	m, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	n, err := strconv.Atoi(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	g, ok := games[os.Args[1]](m, n)
	if !ok {
		log.Fatal("a state does not fit a word")
	}
	debug.SetGCPercent(-1)
	c := search(g)
	fmt.Printf("states %d\nfinished %d\ntransitions %d\ndepth %d\n", c.states, c.finished, c.transitions, c.depth)
}

// counts are the results of a search.
type counts struct {
	states, finished, transitions, depth int
}

// batch is how many successors are looked up together.
const batch = 256

// search visits all states that can be reached, breadth first.
func search(g game) counts {
	seen := newSet()
	var buf [batch]uint64
	n, most := 0, g.most()
	level := g.starts()
	var next []uint64
	var c counts
	level = level[:seen.addAll(level)]
	flush := func() {
		c.transitions += n
		for _, state := range buf[:seen.addAll(buf[:n])] {
			if state&overBit != 0 {
				c.finished++
			} else {
				next = append(next, state)
			}
		}
		n = 0
	}
	for len(level) > 0 {
		known := seen.count
		for _, state := range level {
			if n > batch-most {
				flush()
			}
			n += g.moves(state, buf[n:])
		}
		flush()
		if seen.count > known {
			c.depth++
		}
		level, next = next, level[:0]
	}
	c.states = seen.count
	return c
}
