package limit

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Most commands have a few megabytes of live data and make garbage fast, and with Go's usual pace
// they would collect it dozens of times a second.

// freely is how much may be allocated between two collections, however little of it is live.
const freely = 64 << 20

// usualPace is Go's: a collection when the heap is twice what was live.
const usualPace = 100

// CollectSeldom sets the pace of the garbage collector for the rest of the process: a small heap
// may grow by 64 MiB before the next collection, a large one is collected as usual. The limits of
// WithMemory apply all the same. It does nothing if the environment has a pace (GOGC).
func CollectSeldom() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(pace(0))
	again()
}

// again sets the pace anew after the next collection, which finds this object dead.
func again() {
	runtime.AddCleanup(new([16]byte), func(struct{}) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(pace(live[0].Value.Uint64()))
		again()
	}, struct{}{})
}

// pace is the growth in percent of what is live until the next collection. Go takes no heap for
// less than 4 MiB.
func pace(live uint64) int {
	return max(usualPace, int(100*freely/max(live, 4<<20)))
}
