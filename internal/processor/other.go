//go:build !unix

// Package processor measures what this process has of the processors.
package processor

import "time"

// Time is zero: here it is not known.
func Time() time.Duration { return 0 }

// Most is zero: here it is not known.
func Most() int64 { return 0 }
