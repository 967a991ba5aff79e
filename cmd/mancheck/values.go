package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mancheck/mancheck/dsl/num"
)

// whole parses a whole number from 1 to most. Underscores may group the digits.
func whole(text []byte, most int64) (int64, error) {
	n, err := num.Parse(string(text))
	switch {
	case err != nil || n < 1:
		return 0, fmt.Errorf("%q is no whole number of at least 1", text)
	case int64(n) > most:
		return 0, fmt.Errorf("at most %d", most)
	}
	return int64(n), nil
}

// count is the value of a flag that takes a number of at least 1.
type count int64

// UnmarshalText reads a whole number.
func (c *count) UnmarshalText(text []byte) error {
	n, err := whole(text, math.MaxInt64)
	*c = count(n)
	return err
}

// optional is the value of a flag that takes a number of at least 0, or auto, which is less than 0.
type optional int

// mostOptional is the greatest number of such a flag.
const mostOptional = 1_000_000

// UnmarshalText reads a whole number, or auto.
func (o *optional) UnmarshalText(text []byte) error {
	switch string(text) {
	case "auto":
		*o = -1
		return nil
	case "0":
		*o = 0
		return nil
	}
	n, err := whole(text, mostOptional)
	*o = optional(n)
	return err
}

// threads is the value of a flag for a number of threads. More than maxThreads would take memory
// and save no time.
type threads int

// maxThreads is the greatest number of threads that a command accepts.
const maxThreads = 1024

// UnmarshalText reads a whole number.
func (t *threads) UnmarshalText(text []byte) error {
	n, err := whole(text, maxThreads)
	*t = threads(n)
	return err
}

// steps is the value of a flag for a number of solver steps, for which solvers use 32 bits.
type steps uint32

// UnmarshalText reads a whole number.
func (s *steps) UnmarshalText(text []byte) error {
	n, err := whole(text, math.MaxUint32)
	*s = steps(n)
	return err
}

// duration is the value of a flag for a positive length of time.
type duration time.Duration

// UnmarshalText reads a number with a unit: 500ms, 30s, 1m30s.
func (d *duration) UnmarshalText(text []byte) error {
	t, err := time.ParseDuration(string(text))
	if err != nil || t <= 0 {
		return fmt.Errorf("%q is no length of time: write a number and ms, s, m or h, as in 30s", text)
	}
	*d = duration(t)
	return nil
}

// size is the value of a flag for a number of bytes.
type size int64

// units has the factors of sizes. A single letter means a power of 1024, and kB, MB, GB and TB
// powers of 1000.
var units = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
}

// UnmarshalText reads a number and a unit: 512MiB, 4G, 1.5GB.
func (s *size) UnmarshalText(text []byte) error {
	word := strings.TrimSpace(string(text))
	number := strings.TrimRight(word, "bBiIkKmMgGtT ")
	factor, ok := units[strings.ToLower(strings.TrimSpace(word[len(number):]))]
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(n*factor >= 1 && n*factor < 1<<62) {
		return errors.New(strconv.Quote(word) + " is no size: write a number and K, M, G or T, as in 512MiB or 4G")
	}
	*s = size(n * factor)
	return nil
}
