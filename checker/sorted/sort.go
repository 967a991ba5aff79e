package sorted

import (
	"math/bits"
	"slices"
)

// fewKeys is the number of keys up to which insertion sort is used.
const fewKeys = 24

// Sort sorts keys of w words. tmp must be as long as keys; its contents are lost.
//
// It is a radix sort that begins at the highest bits. Packed states share long prefixes and have
// many constant bits, so each pass begins at the highest bit in which its keys differ.
func Sort(keys, tmp []uint64, w int) {
	switch {
	case w == 1:
		sortWords(keys, tmp, false)
	case len(keys) > 0:
		sortRecords(keys, tmp, w, 0, false)
	}
}

// sortWords sorts a. If over is set the result is in b, and otherwise in a; the other slice is
// scratch.
func sortWords(a, b []uint64, over bool) {
	varying := uint64(0)
	if len(a) > fewKeys {
		varying = differing(a)
	} else {
		insertWords(a)
	}
	if varying == 0 {
		if over {
			copy(b, a)
		}
		return
	}
	digit := digitOf(varying, len(a))
	var ends [256]int
	for _, x := range a {
		ends[x>>digit.shift&digit.mask]++
	}
	begins := starts(&ends)
	for _, x := range a {
		d := x >> digit.shift & digit.mask
		b[begins[d&255]] = x
		begins[d&255]++
	}
	lo := 0
	for _, hi := range begins[:digit.mask+1] {
		switch {
		case hi-lo > 1:
			sortWords(b[lo:hi], a[lo:hi], !over)
		case hi > lo && !over:
			a[lo] = b[lo]
		}
		lo = hi
	}
}

// digit is a range of bits in a word, by which one pass distributes keys.
type digit struct{ shift, mask uint64 }

// digitOf returns the highest bits that vary, at most eight. Few keys need fewer bits.
func digitOf(varying uint64, keys int) digit {
	width := min(8, bits.Len(uint(keys))-3)
	return digit{uint64(max(0, bits.Len64(varying)-width)), 1<<width - 1}
}

// starts replaces each count by the sum of the counts before it.
func starts(counts *[256]int) *[256]int {
	sum := 0
	for i, n := range counts {
		counts[i] = sum
		sum += n
	}
	return counts
}

// differing returns the bits that are not equal in all words.
func differing(a []uint64) uint64 {
	some, all := uint64(0), ^uint64(0)
	for _, x := range a {
		some |= x
		all &= x
	}
	return some &^ all
}

// insertWords sorts by insertion.
func insertWords(a []uint64) {
	for i := 1; i < len(a); i++ {
		x, j := a[i], i
		for ; j > 0 && a[j-1] > x; j-- {
			a[j] = a[j-1]
		}
		a[j] = x
	}
}

// sortRecords is sortWords for keys of w words that agree in all words before word i.
func sortRecords(a, b []uint64, w, i int, over bool) {
	n := len(a) / w
	varying := uint64(0)
	if n > fewKeys {
		for ; i < w; i++ {
			if varying = differingAt(a, w, i); varying != 0 {
				break
			}
		}
	} else {
		insertRecords(a, b[:w], w)
	}
	if varying == 0 {
		if over {
			copy(b, a)
		}
		return
	}
	digit := digitOf(varying, n)
	var ends [256]int
	for k := i; k < len(a); k += w {
		ends[a[k]>>digit.shift&digit.mask]++
	}
	begins := starts(&ends)
	for k := 0; k < len(a); k += w {
		d := a[k+i] >> digit.shift & digit.mask
		copy(b[begins[d]*w:][:w], a[k:k+w])
		begins[d]++
	}
	lo := 0
	for _, hi := range begins[:digit.mask+1] {
		if hi > lo {
			sortRecords(b[lo*w:hi*w], a[lo*w:hi*w], w, i, !over)
		}
		lo = hi
	}
}

// differingAt is differing for word i of each key of w words.
func differingAt(a []uint64, w, i int) uint64 {
	some, all := uint64(0), ^uint64(0)
	for ; i < len(a); i += w {
		some |= a[i]
		all &= a[i]
	}
	return some &^ all
}

// insertRecords sorts by insertion. x is scratch for one key.
func insertRecords(a, x []uint64, w int) {
	for i := w; i < len(a); i += w {
		if Compare(a[i-w:i], a[i:i+w]) <= 0 {
			continue
		}
		copy(x, a[i:i+w])
		j := i
		for ; j > 0 && Compare(a[j-w:j], x) > 0; j -= w {
			copy(a[j:j+w], a[j-w:j])
		}
		copy(a[j:j+w], x)
	}
}

// Compare compares two keys of the same length word by word.
func Compare(a, b []uint64) int {
	for i, x := range a {
		if y := b[i]; x != y {
			if x < y {
				return -1
			}
			return 1
		}
	}
	return 0
}

// Unique removes duplicates from sorted keys, in place.
func Unique(keys []uint64, w int) []uint64 {
	if w == 1 {
		return slices.Compact(keys)
	}
	n := min(w, len(keys))
	for k := w; k < len(keys); k += w {
		if Compare(keys[n-w:n], keys[k:k+w]) != 0 {
			copy(keys[n:n+w], keys[k:k+w])
			n += w
		}
	}
	return keys[:n]
}
