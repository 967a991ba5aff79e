package main

import (
	"fmt"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/dispatch"
	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
)

type statusCmd struct {
	Dir string `arg:"" help:"The folder of the job."`
	formatFlag
}

// Run prints the progress of a job.
func (c *statusCmd) Run(s *session) error {
	j, err := openJob(s, c.Dir)
	if err != nil {
		return err
	}
	st, err := dispatch.Look(s.ctx, j.Job)
	if err != nil {
		return err
	}
	s.result(statusJSON(j, st), func() { writeStatus(s, j, st) })
	return nil
}

// statusJSON returns the object that --format json writes.
func statusJSON(j *job.Job, st *dispatch.Status) report.Object {
	out := report.Object{
		{Name: "job", Value: j.Kind},
		{Name: "file", Value: j.File},
		{Name: "shards", Value: st.Plan.Shards},
		{Name: "done", Value: st.Phase != nil && st.Phase.Last()},
	}
	if p := st.Phase; p != nil {
		failed := []any{}
		for _, f := range st.Failed {
			failed = append(failed, report.Object{{Name: "task", Value: f.Task}, {Name: "host", Value: f.Host}, {Name: "reason", Value: f.Text}})
		}
		out = out.With("phase", report.Object{
			{Name: "number", Value: p.Number},
			{Name: "name", Value: p.Name},
			{Name: "tasks", Value: len(p.Tasks)},
			{Name: "done", Value: st.Done},
			{Name: "failed", Value: failed},
		})
	}
	phases := []any{} // by their names
	for _, k := range st.Kinds {
		phases = append(phases, report.Object{
			{Name: "name", Value: k.Name},
			{Name: "tasks", Value: k.Tasks},
			{Name: "processorSeconds", Value: k.Cost.CPU.Seconds()},
			{Name: "bytesRead", Value: k.Cost.Read},
			{Name: "bytesWritten", Value: k.Cost.Wrote},
		})
	}
	cost := report.Object{
		{Name: "tasks", Value: st.Tasks},
		{Name: "processorSeconds", Value: st.Cost.CPU.Seconds()},
		{Name: "seconds", Value: st.Cost.Wall.Seconds()},
		{Name: "bytesRead", Value: st.Cost.Read},
		{Name: "bytesWritten", Value: st.Cost.Wrote},
		{Name: "peakMemory", Value: st.Cost.Memory},
		{Name: "phases", Value: phases},
	}
	return out.With("blocks", st.Blocks).With("bytes", st.Bytes).With("cost", cost).
		If(st.Left > 0, "phaseProcessorSecondsLeft", st.Left.Seconds())
}

// writeStatus prints the status as text.
func writeStatus(s *session, j *job.Job, st *dispatch.Status) {
	fmt.Fprintf(s.out, "%s %s, %s\n", j.Kind, j.File, numeral.Count(int64(st.Plan.Shards), "shard"))
	t := term.Table{}
	switch p := st.Phase; {
	case p == nil:
		t.Row("phase", "none yet")
	case p.Last():
		t.Row("phase", fmt.Sprintf("%d, %s: the job is done", p.Number, p.Name))
	default:
		t.Row("phase", fmt.Sprintf("%d, %s", p.Number, p.Name))
		t.Row("tasks", fmt.Sprintf("%d of %d done", st.Done, len(p.Tasks)))
	}
	if n := len(st.Failed); n > 0 {
		last := st.Failed[n-1]
		t.Row("failed", fmt.Sprintf("%s; last: task %d on %s: %s", numeral.Count(int64(n), "time"), last.Task, last.Host, plain.Line(last.Text)))
	}
	t.Row("blocks", fmt.Sprintf("%s, %s bytes", numeral.Number(int64(st.Blocks)), numeral.Number(st.Bytes)))
	t.Row("cost", fmt.Sprintf("%s, %v of processor time (%.3f core hours)",
		numeral.Count(int64(st.Tasks), "task"), st.Cost.CPU.Round(10*time.Millisecond), st.Cost.CPU.Hours()))
	for _, k := range st.Kinds {
		t.Row("  "+k.Name, fmt.Sprintf("%s, %v", numeral.Count(int64(k.Tasks), "task"), k.Cost.CPU.Round(10*time.Millisecond)))
	}
	t.Row("read", numeral.Number(st.Cost.Read)+" bytes")
	t.Row("written", numeral.Number(st.Cost.Wrote)+" bytes")
	t.Row("memory", fmt.Sprintf("%s bytes in the largest process", numeral.Number(st.Cost.Memory)))
	if st.Left > 0 {
		t.Row("left", fmt.Sprintf("about %v of processor time in this phase, estimated from its finished tasks", st.Left.Round(10*time.Millisecond)))
	}
	t.Write(s.out, "  ")
}
