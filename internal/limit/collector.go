package limit

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Most commands have a few megabytes of live data and make garbage fast, and with Go's usual pace
// they would collect it dozens of times a second.

// Freely is how much most commands may allocate between two collections.
const Freely = 64 << 20

// FreelyMany is Freely for a command that keeps the rules of many claims, and makes gigabytes of
// garbage: each collection goes through all of them. The rules of a few hundred claims take 70 MB.
func FreelyMany() int64 { return min(8*Freely, DefaultMemory()/16) }

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
	setPace()
	if before == 0 {
		again()
	}
}

// again sets the pace anew after the next collection, which finds this object dead.
func again() {
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		setPace()
		again()
	}, struct{}{})
}

func setPace() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(pace(live[0].Value.Uint64(), freely.Load()))
}

// pace is the growth in percent of what is live until the next collection. Go takes no heap for
// less than 4 MiB.
func pace(live uint64, freely int64) int {
	return max(usualPace, int(100*uint64(freely)/max(live, 4<<20)))
}
