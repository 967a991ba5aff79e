package endgame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/mancheck/mancheck/internal/killed"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules/rulestest"
)

const (
	childPath = "MANCHECK_ENDGAME_TEST_PATH"  // makes this test program build a table in a file
	mostKills = "MANCHECK_ENDGAME_TEST_KILLS" // how often TestKill kills; a few times by default
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		if err := createIn(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// createIn builds the table of the tests in this file.
func createIn(path string) error {
	o := Options{Bounds: limit.Bounds{Threads: 2}, Observer: func(p limit.Progress) { fmt.Println(p.Depth) }}
	return Create(context.Background(), path, rulestest.Kalah(4, 3, true), 9, margin, o)
}

// TestKill kills builds at random moments. The next one goes on, until there is a table, which is
// the same as one built at once. Before that there is none.
func TestKill(t *testing.T) {
	want := whole(t)
	kills, most, resumed := 0, 12/tier.Every(3, 3), 0
	if n, err := strconv.Atoi(os.Getenv(mostKills)); err == nil {
		most = n
	}
	r := rand.New(rand.NewPCG(1, 1))
	for kills < most {
		path := filepath.Join(t.TempDir(), "table")
		for ended, first := false, true; !ended; first = false {
			killed, resumes := killOne(t, path, r)
			if !first && resumes {
				resumed++
			}
			if ended = !killed; killed {
				kills++
			}
			_, err := os.Stat(path)
			if killed && err != nil && !errors.Is(err, fs.ErrNotExist) || !killed && err != nil {
				t.Fatal(err)
			}
			ended = ended || err == nil
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("another table after %d kills: %v", kills, err)
		}
		if _, err := os.Stat(path + partialSuffix); !errors.Is(err, fs.ErrNotExist) {
			t.Fatal("something is left behind")
		}
	}
	t.Logf("%d kills, %d times a build went on with layers that were there", kills, resumed)
	if resumed == 0 {
		t.Error("no build went on")
	}
}

// whole is the file of a table that is built at once.
func whole(t *testing.T) []byte {
	path := filepath.Join(t.TempDir(), "whole")
	if err := createIn(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// killOne builds the table in a process of its own, and kills it after some layers and some time,
// unless it ends before. resumes says that it did not begin with the first layer.
func killOne(t *testing.T, path string, r *rand.Rand) (dead, resumes bool) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childPath+"="+path)
	dead, layers := killed.Run(t, c, r.IntN(6), time.Duration(r.IntN(12000))*time.Microsecond)
	return dead, slices.ContainsFunc(layers, func(l string) bool { return l != "0" })
}
