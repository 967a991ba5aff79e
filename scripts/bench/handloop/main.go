// Command handloop counts the states of Kalah(m,n) with a loop written for this game alone: the
// yardstick of docs/performance.md. It has the rules of examples/kalah.sow with empty_capture =
// false, and imports nothing of mancheck.
//
//	go run ./scripts/bench/handloop -m 4 -n 3
package main

import (
	"flag"
	"fmt"
	"log"
	"runtime/debug"
)

func main() {
	log.SetFlags(0)
	m := flag.Int("m", 4, "houses of each side")
	n := flag.Int("n", 3, "seeds in each house")
	flag.Parse()
	k, ok := compile(*m, *n)
	if !ok {
		log.Fatalf("handloop: a board of Kalah(%d,%d) does not fit a word", *m, *n)
	}
	debug.SetGCPercent(-1)
	c := search(k)
	fmt.Printf("states %d\nfinished %d\ntransitions %d\ndepth %d\n", c.states, c.finished, c.transitions, c.depth)
}

// counts are the results of a search.
type counts struct {
	states, finished, transitions, depth int
}

// batch is how many successors are looked up together.
const batch = 256

// search visits all states that can be reached, breadth first.
func search(k *kalah) counts {
	seen := newSet()
	var buf [batch]uint64
	n := 0
	level := []uint64{k.start}
	var next []uint64
	var c counts
	seen.addAll([]uint64{k.start})
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
			if n > batch-k.m {
				flush()
			}
			n += k.moves(state, buf[n:])
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
