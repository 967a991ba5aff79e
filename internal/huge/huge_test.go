package huge

import "testing"

func TestWords(t *testing.T) {
	for _, n := range []int{1, least - 1, least, 3*least + 5} {
		w := New(n)
		if len(w.Slots) != n {
			t.Fatalf("%d words, want %d", len(w.Slots), n)
		}
		for i, x := range w.Slots {
			if x != 0 {
				t.Fatalf("word %d of %d is %d", i, n, x)
			}
			w.Slots[i] = uint64(i) + 1
		}
		if w.Slots[n-1] != uint64(n) {
			t.Fatalf("word %d of %d is lost", n-1, n)
		}
		w.Free()
		w.Free()
	}
}

// TestFetch: to fetch what is used changes nothing.
func TestFetch(t *testing.T) {
	w := New(least)
	defer w.Free()
	for i := range w.Slots {
		w.Slots[i] = uint64(i)
		Fetch(&w.Slots[i])
		Fetch(&w.Bytes()[i])
		if w.Slots[i] != uint64(i) {
			t.Fatalf("word %d is %d", i, w.Slots[i])
		}
	}
}
