package board_test

import (
	"slices"
	"testing"

	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
)

// fuzzed are the Systems whose boards and plays are read.
func fuzzed() []*rules.System {
	return []*rules.System{samples.Dose(2, 4), busy(), samples.Kalah(2, 3, true)}
}

// FuzzBoard reads flat boards and settings of variables. What is read can be written, drawn and
// read again.
func FuzzBoard(f *testing.F) {
	f.Add(uint8(0), "0 1 1 0 1 1", "selected = hole01")
	f.Add(uint8(0), "0|1,1 |0\n1 1", "selected=none")
	f.Add(uint8(1), "1 2 3 4 5 6", "tuz(South)=south1")
	f.Add(uint8(1), "0 0 0 0 0 +7", "phase = placing")
	f.Add(uint8(1), "9223372036854775807 1 0 0 0 0", "mover=North")
	f.Add(uint8(2), "1 -2 99999999999999999999 x", "first = yes")
	f.Add(uint8(2), "007 1_000 0x10 1e3 ٣ 1", "mover")
	systems := fuzzed()
	f.Fuzz(func(t *testing.T, n uint8, flat, setting string) {
		sys := systems[int(n)%len(systems)]
		s := sys.EmptyStart()
		cost.Within(t, len(flat)+len(setting), func() {
			seeds, err := board.ParseFlat(sys, flat)
			if err == nil {
				s.Seeds = seeds
			}
			if before := s.Clone(); board.SetVar(sys, &s, setting) != nil && !s.Equal(before) {
				t.Errorf("a setting that fails changed the state: %+v became %+v", before, s)
			}
			written(t, sys, s)
		})
	})
}

// written checks that the state is unchanged after it is written and read again.
func written(t *testing.T, sys *rules.System, s rules.State) {
	t.Helper()
	seeds, err := board.ParseFlat(sys, board.Flat(sys, s))
	if err != nil || !slices.Equal(seeds, s.Seeds) {
		t.Errorf("%v became %v, %v", s.Seeds, seeds, err)
	}
	back, err := board.ReadState(sys, board.StateJSON(sys, s))
	if err != nil || !back.Equal(s) {
		t.Errorf("%+v became %+v, %v", s, back, err)
	}
	if board.Draw(sys, s, board.Options{Before: &s}) == "" {
		t.Errorf("%+v cannot be drawn", s)
	}
}

// FuzzTrace reads traces and plays them.
func FuzzTrace(f *testing.F) {
	for n, sys := range fuzzed() {
		in := interp.New(sys)
		start := sys.EmptyStart()
		for p := range start.Seeds {
			start.Seeds[p] = 1
		}
		t := &rules.Trace{System: sys, Claim: "c", Start: start}
		at := start
		for range 3 {
			steps, err := in.Steps(at)
			if err != nil || len(steps) == 0 {
				break
			}
			move := in.Notation(steps[0].Action, at)
			if t, err = in.Replay(start, append(moves(t), move)); err != nil {
				f.Fatal(err)
			}
			at = t.Steps[len(t.Steps)-1].State
		}
		t.Claim = "c"
		f.Add(uint8(n), []byte(board.TraceJSON(sys, t)))
	}
	f.Add(uint8(0), []byte(`{"schema":1,"variant":"Dose","params":{"n":null},"systemHash":"","claim":"","start":{},"steps":[]}`))
	f.Add(uint8(0), []byte(`[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`))
	systems := fuzzed()
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		sys := systems[int(n)%len(systems)]
		cost.Within(t, len(data), func() {
			if _, err := board.ReadHead(data); err != nil {
				if _, err := board.ReadTrace(sys, data); err == nil {
					t.Error("a trace without a head is read")
				}
				return
			}
			trace, err := board.ReadTrace(sys, data)
			if err != nil {
				return
			}
			again, err := board.ReadTrace(sys, board.TraceJSON(sys, trace))
			if err != nil || string(board.TraceJSON(sys, again)) != string(board.TraceJSON(sys, trace)) {
				t.Errorf("the trace changes when it is written: %v", err)
			}
			written(t, sys, trace.Start)
			if played, err := interp.New(sys).Replay(trace.Start, moves(trace)); err == nil && board.TraceText(sys, played, board.Options{}) == "" {
				t.Error("the play cannot be drawn")
			}
		})
	})
}

func moves(t *rules.Trace) []string {
	var list []string
	for _, st := range t.Steps {
		list = append(list, st.Move)
	}
	return list
}
