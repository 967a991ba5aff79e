package sorted

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// A block stores ascending keys as differences. Its first key is in the index of the file. The
// block has the lengths of the differences, followed by their bytes, lowest first.
//
// For keys of one word a length takes two bits, for 1, 2, 4 or 8 bytes. Decoding does not branch on
// lengths, because a mispredicted branch would cost more than everything else. For longer keys a
// difference is one number of all words, with word 0 the highest, and a length takes a byte.

// slack is the number of bytes after a block that may be read, though they are not used.
const slack = 32

// By the two bits of a length: the length, and the bits of such a difference.
var (
	lengths = [4]int{1, 2, 4, 8}
	masks   = [4]uint64{1<<8 - 1, 1<<16 - 1, 1<<32 - 1, 1<<64 - 1}
	classes = lengthClasses()
)

// lengthClasses returns, by the number of bits of a difference, the index of its length.
func lengthClasses() (c [65]uint8) {
	for n := range c {
		for 8*lengths[c[n]] < n {
			c[n]++
		}
	}
	return c
}

// blockRoom returns the greatest size in bytes of a block of n keys, including the slack.
func blockRoom(n, w int) int {
	if w == 1 {
		return n/4 + 1 + 8*n + slack
	}
	return n + 8*n*w + slack
}

// encode writes the block of keys to dst, which must have room, and returns its length.
func encode(dst []byte, keys []uint64, w int) int {
	if w == 1 {
		return encodeWords(dst, keys)
	}
	return encodeRecords(dst, keys, w)
}

// encodeWords is encode for keys of one word.
func encodeWords(dst []byte, keys []uint64) int {
	at := (len(keys) + 2) / 4
	control := dst[:at]
	clear(control)
	last := keys[0]
	for i, x := range keys[1:] {
		d := x - last
		last = x
		c := classes[bits.Len64(d)]
		control[i>>2] |= c << (i & 3 * 2)
		binary.LittleEndian.PutUint64(dst[at:], d)
		at += lengths[c&3]
	}
	return at
}

// encodeRecords is encode for keys of w words.
func encodeRecords(dst []byte, keys []uint64, w int) int {
	at := len(keys)/w - 1
	size := dst[:at]
	for i := range size {
		a, b := keys[i*w:(i+1)*w], keys[(i+1)*w:(i+2)*w]
		n, borrow := 0, uint64(0)
		for j := w - 1; j >= 0; j-- {
			var d uint64
			d, borrow = bits.Sub64(b[j], a[j], borrow)
			binary.LittleEndian.PutUint64(dst[at+8*(w-1-j):], d)
			if d != 0 {
				n = 8*(w-1-j) + (bits.Len64(d)+7)/8
			}
		}
		size[i] = uint8(n)
		at += n
	}
	return at
}

// decode fills keys, the first of which must be there, from a block followed by slack bytes.
func decode(keys []uint64, w int, src []byte) error {
	var n int
	if w == 1 {
		n = decodeWords(keys, src)
	} else {
		n = decodeRecords(keys, w, src)
	}
	if n != len(src)-slack {
		return errors.New("a block has the wrong length")
	}
	return nil
}

// decodeWords returns the number of bytes that it used, or -1 if they are too few.
func decodeWords(keys []uint64, src []byte) int {
	left := (len(keys) + 2) / 4
	if left > len(src) {
		return -1
	}
	control, src := src[:left], src[left:]
	x, at, rest := keys[0], 0, keys[1:]
	for _, c := range control {
		if at+slack > len(src) {
			return -1
		}
		if len(rest) < 4 {
			for i := range rest {
				x += binary.LittleEndian.Uint64(src[at:]) & masks[c&3]
				rest[i] = x
				at += lengths[c&3]
				c >>= 2
			}
			break
		}
		x += binary.LittleEndian.Uint64(src[at:]) & masks[c&3]
		at += lengths[c&3]
		rest[0] = x
		x += binary.LittleEndian.Uint64(src[at:]) & masks[c>>2&3]
		at += lengths[c>>2&3]
		rest[1] = x
		x += binary.LittleEndian.Uint64(src[at:]) & masks[c>>4&3]
		at += lengths[c>>4&3]
		rest[2] = x
		x += binary.LittleEndian.Uint64(src[at:]) & masks[c>>6]
		at += lengths[c>>6]
		rest[3] = x
		rest = rest[4:]
	}
	return left + at
}

// decodeRecords is decodeWords for keys of w words.
func decodeRecords(keys []uint64, w int, src []byte) int {
	at := len(keys)/w - 1
	if at > len(src) {
		return -1
	}
	for i, n := range src[:at] {
		from := src[at:]
		if at += int(n); int(n) > 8*w || at+slack > len(src) {
			return -1
		}
		a, b := keys[i*w:(i+1)*w], keys[(i+1)*w:(i+2)*w]
		carry, left := uint64(0), int(n)
		for j := w - 1; j >= 0; j-- {
			d := uint64(0)
			if left > 0 {
				d = binary.LittleEndian.Uint64(from[8*(w-1-j):])
				if left < 8 {
					d &= 1<<(8*left) - 1
				}
				left -= 8
			}
			b[j], carry = bits.Add64(a[j], d, carry)
		}
	}
	return at
}
