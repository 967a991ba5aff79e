package main

// set is an exact set of words other than 0: open addressing, linear probing, a power of two of
// slots.
type set struct {
	slots []uint64
	shift uint
	count int

	touched uint64 // of no meaning; what is stored here is loaded first
}

// smallest is the binary logarithm of the slots of a new set.
const smallest = 16

func newSet() *set {
	return &set{slots: allocate(1 << smallest), shift: 64 - smallest}
}

// mix is 2^64 over the golden ratio: the high bits of a product depend on all bits of the key.
const mix = 0x9E3779B97F4A7C15

// addAll adds keys and moves those that are new to the front; it returns their number. It looks at
// all slots before it needs one, so that cache misses overlap.
func (s *set) addAll(keys []uint64) int {
	if (s.count+len(keys))*8 > len(s.slots)*5 {
		s.grow()
	}
	slots, shift := s.slots, s.shift&63
	mask := uint64(len(slots) - 1)
	var touched uint64
	for _, k := range keys {
		touched |= slots[k*mix>>shift&mask]
	}
	s.touched = touched
	fresh := 0
	for _, k := range keys {
		at := k * mix >> shift & mask
		have := slots[at]
		for min(have, have^k) != 0 { // neither free nor k
			at = (at + 1) & mask
			have = slots[at]
		}
		slots[at] = k
		keys[fresh] = k
		if have == 0 {
			fresh++
		}
	}
	s.count += fresh
	return fresh
}

func (s *set) grow() {
	old := s.slots
	s.slots = allocate(2 * len(old))
	s.shift--
	mask := uint64(len(s.slots) - 1)
	for _, k := range old {
		if k == 0 {
			continue
		}
		at := k * mix >> s.shift
		for s.slots[at&mask] != 0 {
			at++
		}
		s.slots[at&mask] = k
	}
	release(old)
}
