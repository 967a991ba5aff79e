package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/cmd/internal/dispatch"
	"github.com/mancheck/mancheck/cmd/internal/job"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/suite"
)

type planCmd struct {
	Count  planCountCmd  `cmd:"" help:"Plan a count of the states that can be reached."`
	Check  planCheckCmd  `cmd:"" help:"Plan the decision of a claim."`
	Table  planTableCmd  `cmd:"" help:"Plan an endgame table, which is verified as well."`
	Resume planResumeCmd `cmd:"" help:"Go on with the job of a folder, or write what it came to."`
}

// planFlags are those of all jobs when they are planned.
type planFlags struct {
	Dir    string `required:"" placeholder:"DIR" help:"Keep everything about the job in this folder, which is made if there is none, or in this bucket, as in s3://BUCKET/PREFIX. All machines have to reach it by this name."`
	Shards count  `default:"16" placeholder:"N" help:"Parts into which large phases are divided."`
	Memory size   `default:"1GiB" placeholder:"SIZE" help:"Memory of a process that runs tasks, 128MiB at least. A process that has more fails."`
	Tries  count  `default:"5" placeholder:"N" help:"Give the job up if a task failed this many times."`
	Run    bool   `help:"Have the tasks done, and write the result. Otherwise only the plan is written."`
	engineFlags
	formatFlag
}

// engineFlags are about what has the tasks done.
type engineFlags struct {
	On        string   `enum:"local,slurm,kubernetes" default:"local" help:"What runs tasks: local (processes of this machine), slurm or kubernetes. For the last two scripts and manifests are written into the folder."`
	Jobs      threads  `placeholder:"N" help:"Most tasks at the same time. The default is one for each processor, as far as their memory suffices; with slurm as many as there is room for, with kubernetes 100."`
	Each      count    `default:"1" placeholder:"N" help:"Tasks that a process of slurm or kubernetes runs, at least."`
	Time      duration `default:"4h" placeholder:"DURATION" help:"Longest time for such a process."`
	Poll      duration `default:"10s" placeholder:"DURATION" help:"How often slurm or kubernetes is asked."`
	Program   string   `placeholder:"PATH" help:"This program, where tasks run. The default is its path here; with kubernetes mancheck."`
	Image     string   `default:"mancheck" placeholder:"NAME" help:"With kubernetes: the image of a container with this program, and for the driver with kubectl."`
	Volume    string   `default:"mancheck" placeholder:"NAME" help:"With kubernetes: the claim to the volume that has the folder."`
	Namespace string   `default:"default" placeholder:"NAME" help:"With kubernetes: the namespace."`
	Scripts   string   `placeholder:"DIR" help:"Write scripts and manifests into this folder. The default is that of the job; one in a bucket has none."`
	KeepTries bool     `help:"Let tasks that failed before fail only as many times more as the plan has left. That is for scripts, which may begin again by themselves; whoever begins again by hand has seen why they failed."`
}

type planCountCmd struct {
	File      string `arg:"" help:"Rules file; - is standard input."`
	gameFlags `group:"game"`
	planFlags
}

// Run plans a count.
func (c *planCountCmd) Run(s *session) error {
	return c.plan(s, c.File, job.Question{Kind: job.Count, Variant: c.Variant, Param: c.Param})
}

type planCheckCmd struct {
	File  string   `arg:"" help:"Rules file; - is standard input."`
	Claim string   `required:"" placeholder:"NAME" help:"The claim."`
	Param []string `short:"p" sep:"none" placeholder:"NAME=VALUE" help:"Value of a parameter; it replaces the default, and what the claim says. May be repeated."`
	planFlags
}

// Run plans the decision of a claim.
func (c *planCheckCmd) Run(s *session) error {
	return c.plan(s, c.File, job.Question{Kind: job.Check, Claim: c.Claim, Param: c.Param})
}

type planTableCmd struct {
	File      string `arg:"" help:"Rules file; - is standard input."`
	Seeds     int    `required:"" placeholder:"K" help:"Seeds in play of the largest positions."`
	Endless   string `enum:"open,even,scored" default:"open" help:"What a play is worth that never ends, as for value."`
	gameFlags `group:"game"`
	planFlags
}

// Run plans a table.
func (c *planTableCmd) Run(s *session) error {
	if c.Seeds < 1 {
		return usageError{errors.New("--seeds: at least 1")}
	}
	if depot.IsBucket(c.Dir) {
		return usageError{errors.New("--dir: a table is verified in a folder, and in no bucket")}
	}
	in, err := s.game(c.File, c.gameFlags)
	if err != nil {
		return err
	}
	endless := worth.Endless(in.System(), endlessKinds[c.Endless])
	return explainTable(in.System(), c.plan(s, c.File, job.Question{Kind: job.Table, Variant: c.Variant, Param: c.Param, Seeds: c.Seeds, Endless: endless}))
}

// leastMemory has room for the program, the rules and a few blocks.
const leastMemory = 128 << 20

// plan writes the plan for a question, and what an engine needs.
func (f *planFlags) plan(s *session, path string, q job.Question) error {
	if f.Memory < leastMemory {
		return usageError{errors.New("--memory: at least 128MiB")}
	}
	in, diags := s.reader.File(path)
	if err := diags.Err(); err != nil {
		return err
	}
	q.File, q.Sources = path, map[string]string{}
	for name, text := range in.Program.Sources {
		q.Sources[name] = string(text)
	}
	exact, err := exactTool()
	if err != nil {
		return err
	}
	p, err := job.New(s.ctx, q, job.Resources{Shards: int(f.Shards), Memory: int64(f.Memory), Tries: int(f.Tries)}, exact)
	if err != nil {
		return err
	}
	d, err := depot.Open(s.ctx, f.Dir)
	if err != nil {
		return err
	}
	if _, err := phase.Begin(s.ctx, d, p); errors.Is(err, phase.ErrOther) {
		return fmt.Errorf("%s has the job of another plan: a job needs a folder of its own, and goes on with the same arguments", f.Dir)
	} else if err != nil {
		return err
	}
	if f.Run {
		return f.drive(s, f.Dir)
	}
	return f.written(s)
}

// written writes what an engine needs, and says what was planned and how it goes on.
func (f *planFlags) written(s *session) error {
	j, err := openJob(s, f.Dir)
	if err != nil {
		return err
	}
	files, err := f.scripts(j)
	if err != nil {
		return err
	}
	if s.json {
		s.object(report.Object{{Name: "dir", Value: j.Depot.String()}, {Name: "files", Value: files}})
		return nil
	}
	fmt.Fprintf(s.out, "planned: %s in %s, with %s\n", j.Kind, f.Dir, numeral.Count(int64(f.Shards), "shard"))
	home := cmp.Or(f.Scripts, f.Dir)
	next := map[string]string{"slurm": "sbatch " + filepath.Join(home, "driver.sbatch"), "kubernetes": "kubectl apply -f " + filepath.Join(home, "driver.yaml")}
	for _, path := range files {
		fmt.Fprintln(s.out, "  "+path)
	}
	fmt.Fprintln(s.out, "To run it: "+cmp.Or(next[f.On], "mancheck plan resume "+f.Dir))
	return nil
}

type planResumeCmd struct {
	Dir string `arg:"" help:"The folder of the job."`
	engineFlags
	formatFlag
}

// Run goes on with a job.
func (c *planResumeCmd) Run(s *session) error { return c.drive(s, c.Dir) }

// scripts writes the scripts of an engine, and returns their paths. What is there stays: somebody
// may have changed it.
func (f *engineFlags) scripts(j *job.Job) (paths []string, err error) {
	dir := j.Depot.String()
	to := f.home(j)
	if f.On != "local" && depot.IsBucket(to) {
		return nil, usageError{errors.New("--scripts: a job in a bucket needs a folder for its scripts")}
	}
	settings := dispatch.Settings{
		Job: j.ID, Dir: dir, Home: to, Memory: j.Plan.Memory, Time: time.Duration(f.Time), Image: f.Image, Volume: f.Volume, Space: f.Namespace,
		Resume: []string{"plan", "resume", dir, "--on=" + f.On, "--keep-tries", fmt.Sprintf("--each=%d", f.Each), "--poll=" + time.Duration(f.Poll).String()},
	}
	if f.Scripts != "" {
		settings.Resume = append(settings.Resume, "--scripts="+to)
	}
	if depot.IsBucket(dir) {
		settings.Volume = ""
	}
	if f.Jobs > 0 {
		settings.Resume = append(settings.Resume, fmt.Sprintf("--jobs=%d", f.Jobs))
	}
	var list []dispatch.Script
	paths = []string{}
	switch f.On {
	case "slurm":
		if settings.Program, err = f.program(); err != nil {
			return nil, err
		}
		list = dispatch.SlurmScripts(settings)
		err = file.MkdirAll(filepath.Join(to, "log"), 0o777)
	case "kubernetes":
		if f.Scripts != "" {
			err = file.MkdirAll(to, 0o777)
		}
		settings.Program = cmp.Or(f.Program, "mancheck")
		settings.Resume = append(settings.Resume, "--namespace="+f.Namespace)
		list = dispatch.KubernetesManifests(settings)
	}
	for _, script := range list {
		path := filepath.Join(to, script.Name)
		if failed := file.Write(path, []byte(script.Text), file.New); !errors.Is(failed, fs.ErrExist) {
			err = errors.Join(err, failed)
		}
		paths = append(paths, path)
	}
	return paths, err
}

// home is the folder of scripts and manifests.
func (f *engineFlags) home(j *job.Job) string {
	if f.Scripts == "" {
		return j.Depot.String()
	}
	if path, err := filepath.Abs(f.Scripts); err == nil {
		return path
	}
	return f.Scripts
}

// program is the path of this program.
func (f *engineFlags) program() (string, error) {
	if f.Program != "" {
		return f.Program, nil
	}
	return os.Executable()
}

// drive has the tasks of a job done, and writes what it came to.
func (f *engineFlags) drive(s *session, dir string) error {
	j, err := openJob(s, dir)
	if err != nil {
		return err
	}
	if !f.KeepTries {
		err = j.Again(s.ctx)
	}
	if sweeper, can := j.Depot.(interface{ Sweep(context.Context) error }); can {
		err = errors.Join(err, sweeper.Sweep(s.ctx))
	}
	if err != nil {
		return err
	}
	e, end, err := f.engine(s, j)
	if err != nil {
		return err
	}
	defer end()
	done, err := dispatch.Run(s.ctx, &phase.Driver{Job: j.Job, Work: j.Work}, e, dispatch.Options{
		Observe: func(p dispatch.Progress) { observeJob(s, p) }, Note: func(err error) { s.note("%v; it is tried again", err) },
	})
	s.progress.Clear()
	if err != nil {
		return err
	}
	s.conclude()
	return writeAnswer(s, j, done)
}

// engine returns the engine, and what ends it.
func (f *engineFlags) engine(s *session, j *job.Job) (e dispatch.Engine, end func(), err error) {
	if f.On == "local" {
		program, err := f.program()
		l := &dispatch.Local{Job: j.Job, Command: []string{program, "task", j.Depot.String()}, Workers: f.workers(j.Plan.Memory)}
		l.Env = []string{fmt.Sprintf("GOMAXPROCS=%d", max(1, runtime.GOMAXPROCS(0)/l.Workers))}
		return l, l.Close, err
	}
	if _, err := f.scripts(j); err != nil {
		return nil, nil, err
	}
	b := &dispatch.Batches{Job: j.Job, Each: int(f.Each), Poll: time.Duration(f.Poll)}
	if f.On == "slurm" {
		q := &dispatch.Slurm{Job: j.ID, Script: filepath.Join(f.home(j), dispatch.SlurmTasks), Parallel: int(f.Jobs)}
		b.Queue, b.Most = q, q.Most(s.ctx)
	} else {
		b.Queue = &dispatch.Kubernetes{Job: j.ID, Manifest: filepath.Join(f.home(j), dispatch.KubernetesTasks), Space: f.Namespace, Parallel: int(f.Jobs)}
		b.Most = dispatch.MostIndexes
	}
	return b, func() {}, nil
}

// workers is how many processes of this machine run tasks.
func (f *engineFlags) workers(memory int64) int {
	if f.Jobs > 0 {
		return int(f.Jobs)
	}
	return max(1, min(runtime.GOMAXPROCS(0), int(limit.DefaultMemory()/max(1, memory))))
}

// observeJob shows how far a job is.
func observeJob(s *session, p dispatch.Progress) {
	if s.progress.Active() {
		s.progress.Show(fmt.Sprintf("phase %d, %s: %d of %s left, %d of them submitted",
			p.Phase.Number, p.Phase.Name, len(p.Ready), numeral.Count(int64(len(p.Phase.Tasks)), "task"), p.Pending))
	}
}

// writeAnswer writes what a job came to.
func writeAnswer(s *session, j *job.Job, done *dispatch.Status) error {
	last := done.Phase
	if j.Kind == job.Table {
		return writeTabled(s, j, last)
	}
	if j.Kind == job.Count {
		res, err := j.Counted(s.ctx, last)
		if err != nil {
			return err
		}
		res.Stats.Seconds = done.Cost.CPU.Seconds() // that of all machines
		counts := counting{j.System, res, nil}
		if s.json {
			s.object(counts.json())
		} else {
			counts.write(s)
		}
		return nil
	}
	item, err := j.Decided(s.ctx, last)
	if err != nil {
		return err
	}
	rep := &suite.Report{Items: []*suite.Item{item}}
	if s.json {
		s.object(report.Document{Sources: s.reader.Sources, Traces: true}.JSON(rep))
	} else {
		t := s.newTable()
		t.Begin(rep.Items)
		t.Item(item)
		t.Total(rep)
	}
	return statusError(rep.ExitCode())
}

// writeTabled says where the table is that a job has built and verified.
func writeTabled(s *session, j *job.Job, last *phase.Phase) error {
	t, err := j.Tabled(last)
	if err != nil {
		return err
	}
	path, _ := depot.Path(j.Depot, depot.Block(t.Table.Hash))
	if s.json {
		s.object(report.Object{
			{Name: "table", Value: path},
			{Name: "bytes", Value: t.Table.Size},
			{Name: "verified", Value: true},
			{Name: "positions", Value: t.Positions},
			{Name: "unknown", Value: t.NoFuture},
			{Name: "followed", Value: t.Followed},
		})
		return nil
	}
	fmt.Fprintln(s.out, s.color.Paint(term.Good, "right")+": every entry was derived again from the moves of its position")
	w := term.Table{}
	w.Row("table", path)
	w.Row("positions", numeral.Number(int64(t.Positions)))
	w.Row("unknown", numeral.Number(int64(t.NoFuture)))
	w.Row("followed", numeral.Number(int64(t.Followed)))
	w.Write(s.out, "  ")
	return nil
}
