package limit

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestWhy(t *testing.T) {
	if why := Why(t.Context()); why != "" {
		t.Errorf("a context that goes on ended: %s", why)
	}
	late, cancel := context.WithCancelCause(t.Context())
	cancel(Hit{Kind: Time, After: time.Nanosecond})
	if why := Why(late); why != "out of time after 1ns" {
		t.Error(why)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if why := Why(ctx); why != "interrupted" {
		t.Error(why)
	}
}

// TestMemory takes more than it may.
func TestMemory(t *testing.T) {
	const limit = 16 << 20
	command, b := New(t.Context())
	defer b.Stop()
	b.Memory(limit)
	ctx, stop := Part(command)
	defer stop()
	var taken [][]byte
	for range 64 {
		block := make([]byte, 8<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		taken = append(taken, block)
		select {
		case <-ctx.Done():
			if Ending(ctx).Kind != Process {
				t.Errorf("the cause is %v", context.Cause(ctx))
			}
			if command.Err() != nil {
				t.Error("the command ended with its part")
			}
			return
		case <-time.After(2 * interval):
		}
	}
	t.Errorf("%d MB were taken", len(taken)*8)
}

// TestLook: without parts the command itself ends, by what the one that looks finds.
func TestLook(t *testing.T) {
	command, b := New(t.Context())
	defer b.Stop()
	if err := Look(command); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	b.Memory(1 << 40)
	if err := Look(command); err != nil {
		t.Errorf("far below the limit: %v", err)
	}
	const limit = 1 << 20
	block := make([]byte, slack(limit))
	b.mu.Lock()
	b.memory = limit // the watch has not seen it
	b.mu.Unlock()
	if err := Look(command); err == nil || Why(command) != "the limit of 1 MB of memory is reached" {
		t.Errorf("%d bytes more than the limit: %v, %q", len(block), err, Why(command))
	}
	b.mu.Lock()
	b.memory = 1 << 40
	b.mu.Unlock()
	runtime.KeepAlive(block)
}

// TestBurst: work that does not end is distinguished from work that does.
func TestBurst(t *testing.T) {
	command, b := New(t.Context())
	defer b.Stop()
	_, stop := Part(command)
	defer stop()
	const limit = 1 << 20
	block := make([]byte, 4*slack(limit))
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	b.Memory(limit)
	<-b.Burst()
	if Ending(command).Kind != Process {
		t.Errorf("the command ended by %v", context.Cause(command))
	}
	runtime.KeepAlive(block)
}

// TestTime: the latest limit on time counts, and ends the parts with the command.
func TestTime(t *testing.T) {
	command, b := New(t.Context())
	defer b.Stop()
	part, stop := Part(command)
	defer stop()
	b.Time(time.Hour)
	b.Time(time.Nanosecond)
	<-part.Done()
	if why := Why(part); why != "out of time after 1ns" {
		t.Error(why)
	}
}

func TestControlGroups(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("cgroup", "5:cpu,memory:/job/1\n0::/unit\n")
	groups := filepath.Join(root, "groups")
	want := func(n int64) {
		t.Helper()
		if got := controlGroups(filepath.Join(root, "cgroup"), groups); got != n {
			t.Errorf("the limit is %d, not %d", got, n)
		}
	}
	want(0)
	write("groups/memory.max", "max\n")
	want(0)
	write("groups/memory/memory.limit_in_bytes", "9223372036854771712\n") // version 1 writes this for no limit
	want(0)
	write("groups/memory/job/memory.limit_in_bytes", "900000000\n")
	want(900000000)
	write("groups/unit/memory.max", "800000000\n")
	want(800000000)
}

// TestHit: a limit in words, with its figures.
func TestHit(t *testing.T) {
	for _, test := range []struct {
		hit  Hit
		want string
	}{
		{Hit{}, ""},
		{Hit{Kind: States, Most: 5000}, "the limit of 5000 states is reached"},
		{Hit{Kind: Memory, Most: 3 << 20, Found: 12}, "12 states fill the limit of 3 MB of memory"},
		{Hit{Kind: Process, Most: 1 << 20}, "the limit of 1 MB of memory is reached"},
		{Hit{Kind: Time, After: time.Second}.With(1), "out of time after 1s, with 1 state"},
		{Hit{Kind: Interrupt}.With(1200), "interrupted, with 1,200 states"},
	} {
		if got := test.hit.String(); got != test.want {
			t.Errorf("%+v: %q", test.hit, got)
		}
	}
	late, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	if got := Ending(late); got != (Hit{Kind: Deadline}) {
		t.Errorf("%+v", got)
	}
}
