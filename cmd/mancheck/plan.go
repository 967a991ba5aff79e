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
	Count  planCountCmd  `cmd:"" help:"Plan a count of the reachable states."`
	Check  planCheckCmd  `cmd:"" help:"Plan the decision of a claim."`
	Table  planTableCmd  `cmd:"" help:"Plan the building and verification of an endgame table."`
	Resume planResumeCmd `cmd:"" help:"Continue the job in a folder, or print its result."`
}

// planFlags are the flags of all commands that plan a job.
type planFlags struct {
	Dir    string `required:"" placeholder:"DIR" help:"Keep the job in this folder, which is created if it is missing, or in this bucket, for example s3://BUCKET/PREFIX. The name must be valid on all machines."`
	Shards count  `default:"16" placeholder:"N" help:"Number of parts into which large phases are divided."`
	Memory size   `default:"1GiB" placeholder:"SIZE" help:"Memory of a worker process, at least 128MiB. A process that needs more fails."`
	Tries  count  `default:"5" placeholder:"N" help:"Stop the job when a task has failed this many times."`
	Run    bool   `help:"Run the tasks, and print the result. Without it, only the plan is written."`
	engineFlags
	formatFlag
}

// engineFlags are about the engine that runs the tasks.
type engineFlags struct {
	On        string   `enum:"local,slurm,kubernetes" default:"local" help:"What runs the tasks: local (processes on this machine), slurm or kubernetes. For slurm and kubernetes, scripts and manifests are written into the folder."`
	Jobs      threads  `placeholder:"N" help:"Limit on the tasks that run at the same time. The default is one for each processor, as far as memory suffices; with slurm there is no limit, with kubernetes it is 100."`
	Each      count    `default:"1" placeholder:"N" help:"Minimum number of tasks that a process runs, with slurm or kubernetes."`
	Time      duration `default:"4h" placeholder:"DURATION" help:"Time limit of such a process."`
	Poll      duration `default:"10s" placeholder:"DURATION" help:"Interval at which slurm or kubernetes is polled."`
	Program   string   `placeholder:"PATH" help:"Path of this program where tasks run. The default is its path on this machine; with kubernetes it is mancheck."`
	Image     string   `default:"mancheck" placeholder:"NAME" help:"With kubernetes: a container image with this program and, for the driver, kubectl."`
	Volume    string   `default:"mancheck" placeholder:"NAME" help:"With kubernetes: the PersistentVolumeClaim whose volume contains the folder."`
	Namespace string   `default:"default" placeholder:"NAME" help:"With kubernetes: the namespace."`
	Scripts   string   `placeholder:"DIR" help:"Write scripts and manifests into this folder. The default is the folder of the job; it is required for a job in a bucket."`
	KeepTries bool     `help:"Count earlier attempts at tasks towards --tries of the plan. Scripts use it, since an engine may restart them by itself; a driver that is started by hand resets the attempts."`
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
	Param []string `short:"p" sep:"none" placeholder:"NAME=VALUE" help:"Value of a parameter; it overrides the default and the claim. May be repeated."`
	planFlags
}

// Run plans the decision of a claim.
func (c *planCheckCmd) Run(s *session) error {
	return c.plan(s, c.File, job.Question{Kind: job.Check, Claim: c.Claim, Param: c.Param})
}

type planTableCmd struct {
	File      string `arg:"" help:"Rules file; - is standard input."`
	Seeds     int    `required:"" placeholder:"K" help:"Most seeds in play of a position in the table."`
	Endless   string `enum:"open,even,scored" default:"open" help:"Value of a play that never ends, as for value."`
	gameFlags `group:"game"`
	planFlags
}

// Run plans a table.
func (c *planTableCmd) Run(s *session) error {
	if c.Seeds < 1 {
		return usageError{errors.New("--seeds: at least 1")}
	}
	in, err := s.game(c.File, c.gameFlags)
	if err != nil {
		return err
	}
	endless := worth.Endless(in.System(), endlessKinds[c.Endless])
	return explainTable(in.System(), c.plan(s, c.File, job.Question{Kind: job.Table, Variant: c.Variant, Param: c.Param, Seeds: c.Seeds, Endless: endless}))
}

// leastMemory suffices for the program, the rules and a few blocks.
const leastMemory = 128 << 20

// plan writes the plan for a question, and the files that an engine needs.
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
		return fmt.Errorf("%s already has a job with another plan: give each job a folder of its own; to continue a job, repeat the arguments of its plan", f.Dir)
	} else if err != nil {
		return err
	}
	if f.Run {
		return f.drive(s, f.Dir)
	}
	return f.written(s)
}

// written writes the files that an engine needs, and tells the user how to run the job.
func (f *planFlags) written(s *session) error {
	j, err := openJob(s, f.Dir)
	if err != nil {
		return err
	}
	files, err := f.scripts(j)
	if err != nil {
		return err
	}
	s.result(report.Object{{Name: "dir", Value: j.Depot.String()}, {Name: "files", Value: files}}, func() {
		fmt.Fprintf(s.out, "planned: %s in %s, with %s\n", j.Kind, f.Dir, numeral.Count(int64(f.Shards), "shard"))
		home := cmp.Or(f.Scripts, f.Dir)
		next := map[string]string{"slurm": "sbatch " + filepath.Join(home, "driver.sbatch"), "kubernetes": "kubectl apply -f " + filepath.Join(home, "driver.yaml")}
		for _, path := range files {
			fmt.Fprintln(s.out, "  "+path)
		}
		fmt.Fprintln(s.out, "To run it: "+cmp.Or(next[f.On], "mancheck plan resume "+f.Dir))
	})
	return nil
}

type planResumeCmd struct {
	Dir string `arg:"" help:"The folder of the job."`
	engineFlags
	formatFlag
}

// Run continues a job.
func (c *planResumeCmd) Run(s *session) error { return c.drive(s, c.Dir) }

// scripts writes the scripts of an engine, and returns their paths. Existing files stay as they
// are: they may have been edited.
func (f *engineFlags) scripts(j *job.Job) (paths []string, err error) {
	dir := j.Depot.String()
	to := f.home(j)
	if f.On != "local" && depot.IsBucket(to) {
		return nil, usageError{errors.New("--scripts: required for a job in a bucket")}
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

// drive runs the tasks of a job, and prints its result.
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
		Observe: observer(s, j), Note: func(err error) { s.note("%v; retrying", err) },
	})
	s.progress.Clear()
	if err != nil {
		return err
	}
	s.conclude()
	return writeAnswer(s, j, done)
}

// engine returns the engine, and a function that ends it.
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

// workers returns the number of worker processes on this machine.
func (f *engineFlags) workers(memory int64) int {
	if f.Jobs > 0 {
		return int(f.Jobs)
	}
	return max(1, min(runtime.GOMAXPROCS(0), int(limit.DefaultMemory()/max(1, memory))))
}

// observer returns a function that shows the progress of a job. It reports once what the search has
// found, since the check takes much longer.
func observer(s *session, j *job.Job) func(dispatch.Progress) {
	told := false
	return func(p dispatch.Progress) {
		if found := j.Found(p.Phase); found != "" && !told {
			told = true
			s.note("found %s; checking them", found)
		}
		if s.progress.Active() {
			s.progress.Show(fmt.Sprintf("phase %d, %s: %d of %s left, %d of them submitted",
				p.Phase.Number, p.Phase.Name, len(p.Ready), numeral.Count(int64(len(p.Phase.Tasks)), "task"), p.Pending))
		}
	}
}

// writeAnswer prints the result of a job.
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
		s.result(counts.json(), func() { counts.write(s) })
		return nil
	}
	item, err := j.Decided(s.ctx, last)
	if err != nil {
		return err
	}
	rep := &suite.Report{Items: []*suite.Item{item}}
	s.result(report.Document{Sources: s.reader.Sources, Traces: true}.JSON(rep), func() { s.newTable().All(rep) })
	return statusError(rep.ExitCode())
}

// writeTabled prints where the table is that a job has built and verified.
func writeTabled(s *session, j *job.Job, last *phase.Phase) error {
	t, err := j.Tabled(last)
	if err != nil {
		return err
	}
	path := depot.Where(j.Depot, depot.Block(t.Table.Hash))
	s.result(report.Object{
		{Name: "table", Value: path},
		{Name: "bytes", Value: t.Table.Size},
		{Name: "verified", Value: true},
		{Name: "positions", Value: t.Positions},
		{Name: "unknown", Value: t.NoFuture},
		{Name: "followed", Value: t.Followed},
	}, func() {
		fmt.Fprintln(s.out, s.color.Paint(term.Good, "right")+": "+derived)
		w := term.Table{}
		w.Row("table", path)
		w.Row("positions", numeral.Number(int64(t.Positions)))
		w.Row("unknown", numeral.Number(int64(t.NoFuture)))
		w.Row("followed", numeral.Number(int64(t.Followed)))
		w.Write(s.out, "  ")
	})
	return nil
}
