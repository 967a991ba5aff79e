package limit

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestCollector: the pace follows what is live.
func TestCollector(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	for _, live := range []uint64{0, 4 << 20, 10 << 20, 64 << 20, 100 << 20, 1 << 40, math.MaxUint64} {
		switch p := pace(live, Freely); {
		case p < usualPace:
			t.Errorf("%d bytes are live, and the pace is %d", live, p)
		case p > usualPace && float64(live)*float64(p)/100 > Freely:
			t.Errorf("%d bytes are live, and may become %d%% more", live, p)
		}
	}
	t.Setenv("GOGC", "")
	CollectSeldom(Freely)
	if p := debug.SetGCPercent(usualPace); p <= usualPace {
		t.Fatalf("the pace is %d with a small heap", p)
	}
	large := make([]byte, 3*Freely)
	for set := 0; set != usualPace; runtime.Gosched() { // the pace is looked after now and then
		debug.SetGCPercent(2 * usualPace)
		runtime.GC()
		set = debug.SetGCPercent(2 * usualPace)
	}
	runtime.KeepAlive(large)
}
