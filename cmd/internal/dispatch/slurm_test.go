package dispatch

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/phase/phasetest"
	"github.com/mancheck/mancheck/internal/tier"
)

// slurmVariable enables the tests with a real SLURM; see scripts/slurm-tests. It may be the seed of
// the chaos.
const slurmVariable = "MANCHECK_SLURM"

// cluster is a SLURM on this machine: a controller, nodes and an authentication daemon, with all
// their files in one folder. It needs no database and no control groups.
type cluster struct {
	t     *testing.T
	dir   string
	nodes []string
	runs  map[string]*exec.Cmd // the daemons, by name
}

const slurmConf = `ClusterName=mancheck
SlurmctldHost={{.Host}}(127.0.0.1)
SlurmctldPort={{index .Ports 0}}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={{.Dir}}/munge.socket
StateSaveLocation={{.Dir}}/state
SlurmdSpoolDir={{.Dir}}/spool.%n
SlurmctldPidFile={{.Dir}}/slurmctld.pid
SlurmdPidFile={{.Dir}}/%n.pid
SlurmctldLogFile={{.Dir}}/slurmctld.log
SlurmdLogFile={{.Dir}}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MinJobAge=5
SlurmdTimeout=8
KillWait=2
JobRequeue=1
MaxArraySize=101
{{range $i, $n := .Nodes}}NodeName={{$n}} NodeHostname={{$.Host}} NodeAddr=127.0.0.1 Port={{index $.Ports (next $i)}} CPUs=2 RealMemory=1000
{{end}}PartitionName=p Nodes=ALL Default=YES State=UP MaxTime=INFINITE
`

// newCluster starts a cluster, which ends with the test.
func newCluster(t *testing.T) *cluster {
	if os.Getenv(slurmVariable) == "" {
		t.Skip("scripts/slurm-tests runs it")
	}
	for _, name := range []string{"slurmctld", "slurmd", "munged"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("only root runs the daemons")
	}
	// The path of a socket must be short.
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t, dir, []string{"n1", "n2", "n3", "n4"}, map[string]*exec.Cmd{}}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	c.configure()
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	t.Setenv(roleVariable, "1") // for the tasks
	t.Cleanup(c.end)
	at := func(name string) string { return filepath.Join(dir, name) }
	c.run("munged", "--foreground", "--force", "--key-file="+at("munge.key"), "--socket="+at("munge.socket"), "--pid-file="+at("munged.pid"), "--log-file="+at("munged.log"), "--seed-file="+at("munged.seed"))
	c.until("a socket", func() bool { _, err := os.Stat(at("munge.socket")); return err == nil })
	c.controller()
	for _, n := range c.nodes {
		c.node(n)
	}
	c.until("idle nodes", func() bool {
		out, err := exec.Command("sinfo", "-h", "-t", "idle", "-o", "%D").Output()
		return err == nil && strings.TrimSpace(string(out)) == strconv.Itoa(len(c.nodes))
	})
	return c
}

// configure writes the files of the cluster.
func (c *cluster) configure() {
	key := make([]byte, 1024)
	_, _ = rand.Read(key) // it never fails
	var conf bytes.Buffer
	host, err := os.Hostname()
	ports := make([]int, len(c.nodes)+1)
	for i := range ports {
		l, failed := net.Listen("tcp", "127.0.0.1:0")
		if failed != nil {
			c.t.Fatal(failed)
		}
		defer l.Close() // after all ports were found, so that they are different
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	text := template.Must(template.New("").Funcs(template.FuncMap{"next": func(i int) int { return i + 1 }}).Parse(slurmConf))
	err = errors.Join(
		err,
		text.Execute(&conf, map[string]any{"Host": host, "Dir": c.dir, "Ports": ports, "Nodes": c.nodes}),
		os.WriteFile(filepath.Join(c.dir, "slurm.conf"), conf.Bytes(), 0o644),
		os.WriteFile(filepath.Join(c.dir, "munge.key"), key, 0o400),
		os.Mkdir(filepath.Join(c.dir, "state"), 0o755),
	)
	for _, n := range c.nodes {
		err = errors.Join(err, os.Mkdir(filepath.Join(c.dir, "spool."+n), 0o755))
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// run starts a daemon.
func (c *cluster) run(name string, args ...string) {
	cmd := exec.Command(strings.Fields(name)[0], args...)
	cmd.Dir = c.dir
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.runs[name] = cmd
}

// stop kills a daemon.
func (c *cluster) stop(name string) {
	if cmd := c.runs[name]; cmd != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		delete(c.runs, name)
	}
}

func (c *cluster) controller()      { c.run("slurmctld", "-D") }
func (c *cluster) node(name string) { c.run("slurmd "+name, "-D", "-N", name) }

// end ends all jobs and daemons.
func (c *cluster) end() {
	_ = exec.Command("scancel", "--me").Run()
	for range 50 {
		if out, err := exec.Command("squeue", "-h").Output(); err != nil || len(out) == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for name := range c.runs {
		c.stop(name)
	}
}

// until waits for a condition.
func (c *cluster) until(what string, is func() bool) {
	c.t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.t.Fatalf("timed out waiting for %s", what)
}

// wide is work with more than two hundred tasks.
var wide = phasetest.Reach{Numbers: 2000, Degree: 2, Stride: 400, Seed: 3, Shards: 9}

// prepare begins a job whose tasks SLURM can run.
func prepare(t *testing.T, w phasetest.Reach, tries int) (*phase.Driver, string) {
	d, dir := begin(t, w, tries)
	script := fmt.Sprintf("#!/bin/sh\n#SBATCH --output=%s/log.%%x.%%a\nexec %s list %s \"$1\"\n", dir, os.Args[0], dir)
	if err := os.WriteFile(filepath.Join(dir, "tasks.sh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return d, dir
}

func TestSlurm(t *testing.T) {
	c := newCluster(t)
	if got := (&Slurm{}).Most(t.Context()); got != 101 {
		t.Errorf("arrays have at most %d elements", got)
	}
	d, dir := prepare(t, wide, 3)
	if _, err := Run(t.Context(), d, slurm(d, dir), Options{Note: func(err error) { t.Error(err) }}); err != nil {
		t.Fatal(err)
	}
	right(t, dir, wide)
	if n := len(newChaos(t, 0, dir).objects("receipt")); n < 200 {
		t.Errorf("only %d tasks", n)
	}
	c.fails()
	c.queue()
}

// fails: if a task always fails, or is always killed, the reason is shown.
func (c *cluster) fails() {
	w := wide
	w.Fails = []string{"00002/00001"}
	d, dir := prepare(c.t, w, 2)
	_, err := Run(c.t.Context(), d, slurm(d, dir), Options{})
	var tries *phase.TriesError
	if !errors.As(err, &tries) || tries.ID != (phase.ID{Phase: 2, Task: 1}) || !strings.Contains(tries.Fault, "made to fail") {
		c.t.Errorf("error %v", err)
	}
}

// queue: a second driver sees what the first one submitted. While the controller is down, nothing
// is submitted, and no attempt is counted.
func (c *cluster) queue() {
	w := wide
	w.Pause = time.Hour
	d, dir := prepare(c.t, w, 2)
	if _, _, err := d.Look(c.t.Context()); err != nil {
		c.t.Fatal(err)
	}
	id := phase.ID{}
	if err := slurm(d, dir).Submit(c.t.Context(), []phase.ID{id}); err != nil {
		c.t.Fatal(err)
	}
	pending, err := slurm(d, dir).Pending(c.t.Context())
	if err != nil || !pending[id] || len(pending) != 1 {
		c.t.Errorf("pending %v, %v", pending, err)
	}
	c.stop("slurmctld")
	tries := newChaos(c.t, 0, dir).objects("try")
	ctx, cancel := context.WithTimeout(c.t.Context(), 20*time.Second)
	defer cancel()
	if err := slurm(d, dir).Submit(ctx, []phase.ID{id}); err == nil {
		c.t.Error("without a controller: no error")
	}
	if now := newChaos(c.t, 0, dir).objects("try"); len(now) != len(tries) {
		c.t.Errorf("tries %q, before %q", now, tries)
	}
	c.controller()
}

// TestSlurmNode: the tasks of a failed node run on other nodes.
func TestSlurmNode(t *testing.T) {
	c := newCluster(t)
	w := wide
	w.Pause = 2 * time.Second
	_, dir := prepare(t, w, 3)
	cmd := driver(t, dir, "slurm")
	var node string
	c.until("a task", func() bool {
		out, err := exec.Command("squeue", "-h", "-t", "R", "-o", "%N").Output()
		node, _, _ = strings.Cut(string(out), "\n")
		return err == nil && node != ""
	})
	c.stop("slurmd " + node)
	ch := newChaos(t, 0, dir)
	for len(ch.processes("list")) > 0 {
		ch.kill("list")
	}
	c.until("a node that is down", func() bool {
		out, err := exec.Command("sinfo", "-h", "-t", "down", "-o", "%N").Output()
		return err == nil && strings.TrimSpace(string(out)) == node
	})
	// The rest would take minutes, and does not test nodes.
	for len(ch.objects("receipt")) == 0 {
		time.Sleep(100 * time.Millisecond)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if nodes, err := exec.Command("sinfo", "-h", "-t", "down", "-o", "%N").Output(); err != nil || strings.TrimSpace(string(nodes)) != node {
		t.Errorf("nodes that are down: %q, %v", nodes, err)
	}
}

// TestSlurmChaos: the result does not depend on faults of tasks, drivers, nodes, the controller and
// objects.
func TestSlurmChaos(t *testing.T) {
	cl := newCluster(t)
	seed, _ := strconv.ParseUint(os.Getenv(slurmVariable), 10, 64)
	w := wide
	w.Pause = 50 * time.Millisecond
	_, dir := prepare(t, w, 30)
	c := newChaos(t, seed, dir)
	ended := make(chan error, 100)
	start := func() {
		cmd := driver(t, dir, "slurm")
		go func() { ended <- cmd.Wait() }()
	}
	start()
	start()
	for running, did := 2, 0; running > 0; {
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
				start()
				continue
			}
			if running--; err != nil {
				t.Errorf("seed %d: a driver failed: %v", seed, err)
			}
		case <-time.After(200 * time.Millisecond):
			if did++; did > 300/tier.Every(5) {
				cl.repair()
				continue
			}
			c.damage([]string{"block", "block", "receipt", "phase", "batch"}[c.r.IntN(5)])
			cl.harm(c)
		}
	}
	t.Log(c.done)
	right(t, dir, w)
	if n := len(c.objects("receipt")); n < 200 {
		t.Errorf("only %d tasks", n)
	}
}

// harm kills or stops processes.
func (c *cluster) harm(by *chaos) {
	node := c.nodes[by.r.IntN(len(c.nodes))]
	switch n := by.r.IntN(60); {
	case n < 15:
		by.kill("list")
	case n < 18:
		by.kill("drive")
	case n == 20:
		c.stop("slurmd " + node)
		by.done["stopped nodes"]++
	case n == 21:
		// A node that does not respond for a while goes down, and its jobs are requeued.
		if out, err := exec.Command("sinfo", "-h", "-t", "down", "-o", "%D").Output(); err == nil && len(out) > 0 {
			by.done["saw nodes down"]++
		}
		c.repair()
	case n == 24:
		c.stop("slurmctld")
		by.done["stopped controllers"]++
	}
}

// repair starts stopped daemons again.
func (c *cluster) repair() {
	if c.runs["slurmctld"] == nil {
		c.controller()
	}
	for _, n := range c.nodes {
		if c.runs["slurmd "+n] == nil {
			c.node(n)
		}
	}
}

// TestSlurmProgram: the real program counts the same with and without SLURM. So does its driver as
// a SLURM job, with an edited script, and although it reaches its time limit.
func TestSlurmProgram(t *testing.T) {
	c := newCluster(t)
	program := built(t)
	run := func(args ...string) string { return counted(t, program, args...) }
	game := []string{"../../../examples/kalah.sow", "-p", "m=3", "-p", "n=2"}
	want := run(append([]string{"count"}, game...)...)
	if !strings.Contains(want, "states") {
		t.Fatal(want)
	}
	dir := filepath.Join(t.TempDir(), "it's here")
	plan := append([]string{"plan", "count", "--shards=3", "--dir", dir, "--on=slurm", "--poll=300ms", "--memory=128MiB"}, game...)
	if got := run(append(plan, "--run")...); got != want {
		t.Errorf("with SLURM:\n%s\nwant\n%s", got, want)
	}
	plan[4] = filepath.Join(t.TempDir(), "job")
	run(plan...)
	script := filepath.Join(plan[4], "driver.sbatch")
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), "#SBATCH --requeue\n", "#SBATCH --requeue\n#SBATCH --mem=300M\n", 1)
	changed = strings.Replace(changed, "#SBATCH --mem=2000M\n", "", 1)
	if err := os.WriteFile(script, []byte(changed), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("sbatch", "--parsable", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	number := strings.TrimSpace(string(out))
	c.until("tasks of the driver", func() bool { return len((&chaos{dir: plan[4]}).objects("batch")) > 0 })
	// The node that runs the driver refuses to start it again until SLURM's delay of two minutes is
	// over: it has revoked the credential of the job. Another node starts it at once.
	queued := func(format string) string {
		out, _ := exec.Command("squeue", "-h", "-j", number, "-o", format).Output()
		return strings.TrimSpace(string(out))
	}
	node := queued("%N")
	// What SLURM sends before the limit, without the minutes that it takes.
	if out, err := exec.Command("scancel", "--batch", "--signal=USR1", number).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.until("the driver in the queue again", func() bool { return queued("%T") == "PENDING" })
	if out, err := exec.Command("scontrol", "update", "job", number, "ExcNodeList="+node, "StartTime=now").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	log := filepath.Join(plan[4], "log", "driver")
	for range 600 {
		if out, _ := os.ReadFile(log); strings.Contains(string(out), "stored") {
			if got := words(string(out)); !strings.HasSuffix(got, want) {
				t.Errorf("as a job of SLURM:\n%s\nwant\n%s", got, want)
			}
			if job, err := exec.Command("scontrol", "show", "job", number).Output(); err != nil || !strings.Contains(string(job), "Restarts=1") {
				t.Errorf("the driver was not requeued: %v\n%s", err, job)
			}
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	out, _ = os.ReadFile(log)
	job, _ := exec.Command("scontrol", "show", "job", number).CombinedOutput()
	controller, _ := os.ReadFile(filepath.Join(c.dir, "slurmctld.log"))
	t.Errorf("the driver has not ended:\n%s\n%s\n%s", out, job, controller)
}

// TestSlurmCost: the program counts a game of five million states with SLURM as without. With -v it
// logs the cost, for docs/scale.md.
func TestSlurmCost(t *testing.T) {
	if os.Getenv("MANCHECK_SLURM_COST") == "" {
		t.Skip("it takes minutes: set MANCHECK_SLURM_COST")
	}
	newCluster(t)
	program := built(t)
	game := []string{"../../../examples/kalah.sow", "-p", "m=4", "-p", "n=3"}
	want := counted(t, program, append([]string{"count", "--depth"}, game...)...)
	for _, on := range []string{"local", "slurm"} {
		dir := filepath.Join(t.TempDir(), on)
		began := time.Now()
		got := counted(t, program, append([]string{"plan", "count", "--shards=8", "--dir", dir, "--on=" + on, "--poll=1s", "--memory=256MiB", "--run"}, game...)...)
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", on, got, want)
		}
		out, err := exec.Command(program, "status", dir).Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v\n%s", on, time.Since(began).Round(time.Second), out)
	}
}
