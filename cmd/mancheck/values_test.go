package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]size{
		"1": 1, "512MiB": 512 << 20, "4G": 4 << 30, "4 g": 4 << 30, "1.5K": 1536, "2GB": 2e9, "10b": 10,
		"": 0, "0": 0, "-1": 0, "G": 0, "4X": 0, "4GG": 0, "1e30T": 0, "NaN": 0, "InfG": 0,
	} {
		var got size
		if err := got.UnmarshalText([]byte(text)); got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestCount(t *testing.T) {
	for text, want := range map[string]count{
		"1": 1, "1_000_000": 1_000_000,
		"0": 0, "-1": 0, "": 0, "1.5": 0, "99999999999999999999": 0,
	} {
		var got count
		if err := got.UnmarshalText([]byte(text)); got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]duration{
		"1m": duration(time.Minute), "500ms": duration(time.Second / 2), "1m30s": duration(90 * time.Second),
		"": 0, "0s": 0, "-1s": 0, "5": 0, "soon": 0,
	} {
		var got duration
		if err := got.UnmarshalText([]byte(text)); got != want || (err == nil) != (want != 0) {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestEmission(t *testing.T) {
	for line, want := range map[string]string{
		"a --emit smt2 dir":        "{smt2 dir} [a]",
		"a --emit coq dir":         "{coq dir} [a]",
		"--emit coq -dir a b":      "{coq -dir} [a b]",
		"--emit smt2 dir a":        "{smt2 dir} [a]",
		"--emit smt2:dir a":        "{smt2 dir} [a]",
		"--emit=smt2:dir a":        "{smt2 dir} [a]",
		"--emit=smt2 dir a":        "",
		"a --emit smt2":            "",
		"a --emit":                 "",
		"a --emit other dir":       "",
		"-- --emit smt2 dir":       "{ } [--emit smt2 dir]",
		"a --emit coq x --emit y":  "",
		"a --emit coq x --emit=y:": "",
	} {
		var got struct {
			Emit  emission
			Files []string `arg:""`
		}
		_, err := kong.Must(&got).Parse(strings.Fields(line))
		if (err == nil) != (want != "") || err == nil && fmt.Sprint(got.Emit, got.Files) != want {
			t.Errorf("%s: %v, %v", line, got, err)
		}
	}
}
