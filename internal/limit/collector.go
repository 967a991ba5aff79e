package limit

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// Most commands have a few megabytes of live data and make garbage fast, and with Go's usual pace
// they would collect it dozens of times a second.

// Freely is how much commands may allocate between two collections.
const Freely = 64 << 20

// usualPace is Go's: a collection when the heap is twice what was live.
const usualPace = 100

// freely is the last argument of CollectSeldom.
var freely atomic.Int64

// CollectSeldom sets the pace of the garbage collector for the rest of the process: it
// may allocate the given number of bytes before the next collection, or, as usual, as many as are
// live if that is more. The
// limits of WithMemory apply all the same. It does nothing if the environment has a pace (GOGC).
func CollectSeldom(bytes int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	before := freely.Swap(bytes)
	setPace(liveNow())
	if before == 0 {
		go follow()
	}
}

// follow sets the pace anew when the collector has found that more or less is live. The pace is a
// part of what is live, so that one that was set when little was would let the heap grow to
// gigabytes. A cleanup could do so after each collection, but may come late in a large heap.
func follow() {
	set := liveNow()
	for wait := looked; ; wait = min(2*wait, seldom) {
		time.Sleep(wait)
		if live := liveNow(); live != set {
			setPace(live)
			set, wait = live, looked/2
		}
	}
}

// looked is how often the pace is looked after: before much more than Freely can be allocated.
const looked = 20 * time.Millisecond

// seldom is how often it is looked after where nothing is collected, as in a server that waits.
const seldom = 10 * looked

// liveNow is what was live at the latest collection.
func liveNow() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return live[0].Value.Uint64()
}

func setPace(live uint64) { debug.SetGCPercent(pace(live, freely.Load())) }

// pace is the growth in percent of what is live until the next collection. Go takes no heap for
// less than 4 MiB.
func pace(live uint64, freely int64) int {
	return max(usualPace, int(100*uint64(freely)/max(live, 4<<20)))
}
