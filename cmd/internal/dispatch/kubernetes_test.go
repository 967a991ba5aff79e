package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/tier"
)

// clusterVariable names the folder of a fake Kubernetes cluster: the test program under the name
// kubectl.
const clusterVariable = "MANCHECK_TEST_CLUSTER"

// manifest has the fields of a Job that are used.
type manifest struct {
	Metadata struct {
		Name   string            `yaml:"name"`
		Labels map[string]string `yaml:"labels"`
	} `yaml:"metadata"`
	Spec struct {
		Completions int `yaml:"completions"`
		Parallelism int `yaml:"parallelism"`
		Template    struct {
			Spec struct {
				Containers []struct {
					Command, Args []string
				} `yaml:"containers"`
			} `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

// kubectl is a fake kubectl. Each Job is a file. A new Job is run by another process, which updates
// the file.
func kubectl(args []string) error {
	dir := os.Getenv(clusterVariable)
	if _, err := os.Stat(filepath.Join(dir, "gone")); err == nil {
		return errors.New("the server does not answer")
	}
	switch args[0] {
	case "create":
		text, err := io.ReadAll(os.Stdin)
		var m manifest
		if err == nil {
			err = yaml.Unmarshal(text, &m)
		}
		if err != nil {
			return err
		}
		path := filepath.Join(dir, m.Metadata.Name)
		if err := errors.Join(os.WriteFile(path+".yaml", text, 0o666), state(path, m, "", "", "")); err != nil {
			return err
		}
		return exec.Command(os.Args[0], "run", path).Start()
	case "get":
		return answer(dir, args)
	}
	return runJob(args[1])
}

// answer lists the Jobs with a label.
func answer(dir string, args []string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return err
	}
	label, value, _ := strings.Cut(args[4], "=")
	items := []json.RawMessage{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var of struct {
			Metadata struct{ Labels map[string]string }
		}
		if err := json.Unmarshal(text, &of); err != nil {
			return err
		}
		if of.Metadata.Labels[label] == value {
			items = append(items, text)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"kind": "List", "items": items})
}

// state writes the state of a Job.
func state(path string, m manifest, completed, failed, condition string) error {
	status := map[string]any{}
	if completed != "" {
		status["completedIndexes"] = completed
	}
	if failed != "" {
		status["failedIndexes"] = failed
	}
	if condition != "" {
		status["conditions"] = []any{map[string]any{"type": condition, "status": "True"}}
	}
	text, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"name": m.Metadata.Name, "labels": m.Metadata.Labels},
		"spec":     map[string]any{"completions": m.Spec.Completions},
		"status":   status,
	})
	if err == nil {
		err = os.WriteFile(path+".part", text, 0o666)
	}
	return errors.Join(err, os.Rename(path+".part", path+".json"))
}

// runJob runs the pods of a Job one after another; every seventh fails before it starts.
func runJob(path string) error {
	text, err := os.ReadFile(path + ".yaml")
	var m manifest
	if err == nil {
		err = yaml.Unmarshal(text, &m)
	}
	if err != nil {
		return err
	}
	var completed, failed []string
	c := m.Spec.Template.Spec.Containers[0]
	for i := range m.Spec.Completions {
		cmd := exec.Command(c.Command[0], c.Args...)
		cmd.Env = append(os.Environ(), roleVariable+"=1", "JOB_COMPLETION_INDEX="+strconv.Itoa(i))
		if (len(path)+int(path[len(path)-1])+i)%7 == 0 || cmd.Run() != nil {
			failed = append(failed, strconv.Itoa(i))
		} else {
			completed = append(completed, strconv.Itoa(i))
		}
		if err := state(path, m, strings.Join(completed, ","), strings.Join(failed, ","), ""); err != nil {
			return err
		}
	}
	condition := "Complete"
	if len(failed) > 0 {
		condition = "Failed"
	}
	return state(path, m, strings.Join(completed, ","), strings.Join(failed, ","), condition)
}

// ended waits for the processes that run Jobs, which write into the folder of the cluster until the
// Job has a condition.
func ended(t *testing.T, clusterDir string) {
	for range 3000 {
		jobs, err := filepath.Glob(filepath.Join(clusterDir, "*.yaml"))
		running := slices.ContainsFunc(jobs, func(job string) bool {
			text, err := os.ReadFile(strings.TrimSuffix(job, ".yaml") + ".json")
			return err != nil || !strings.Contains(string(text), `"conditions"`)
		})
		if err != nil || !running {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a Job runs on")
}

// newKubernetes begins a job whose tasks run on the fake cluster.
func newKubernetes(t *testing.T) (d *phase.Driver, dir, clusterDir string, e *Batches) {
	d, dir = begin(t, small, 9)
	clusterDir = t.TempDir()
	bin := t.TempDir()
	if err := os.Symlink(os.Args[0], filepath.Join(bin, "kubectl")); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(clusterVariable, clusterDir)
	t.Cleanup(func() { ended(t, clusterDir) })
	text := KubernetesManifests(Settings{Job: d.Job.ID, Dir: dir, Program: os.Args[0], Memory: 1 << 20, Image: "m", Volume: "v", Space: "s"})[0].Text
	if err := os.WriteFile(filepath.Join(dir, KubernetesTasks), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	q := &Kubernetes{Job: d.Job.ID, Manifest: filepath.Join(dir, KubernetesTasks), Space: "s", Parallel: 2}
	return d, dir, clusterDir, &Batches{Job: d.Job, Queue: q, Each: 2, Most: 100, Poll: 100 * time.Millisecond}
}

// TestKubernetes: the tasks of failed pods run again.
func TestKubernetes(t *testing.T) {
	tier.Long(t, "it starts a hundred processes")
	d, dir, clusterDir, e := newKubernetes(t)
	if _, err := Run(t.Context(), d, e, Options{Note: func(err error) { t.Error(err) }}); err != nil {
		t.Fatal(err)
	}
	right(t, dir, small)
	jobs, err := filepath.Glob(filepath.Join(clusterDir, "*.yaml"))
	if err != nil || len(jobs) < 8 {
		t.Errorf("%d Jobs, %v", len(jobs), err)
	}
}

// TestKubernetesGone: while the server does not respond, nothing is submitted, and no attempt is
// counted.
func TestKubernetesGone(t *testing.T) {
	d, dir, clusterDir, e := newKubernetes(t)
	if err := os.WriteFile(filepath.Join(clusterDir, "gone"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	notes := 0
	_, err := Run(ctx, d, e, Options{Note: func(err error) {
		if notes++; !strings.Contains(err.Error(), "does not answer") {
			t.Error(err)
		}
		time.AfterFunc(100*time.Millisecond, cancel)
	}})
	if !errors.Is(err, context.Canceled) || notes != 1 {
		t.Errorf("%d notes, error %v", notes, err)
	}
	if list := newChaos(t, 0, dir).objects("try"); len(list) > 0 {
		t.Errorf("%q", list)
	}
	if err := e.Submit(t.Context(), []phase.ID{{}}); !errors.As(err, new(*UnavailableError)) {
		t.Errorf("error %v", err)
	}
	if list := newChaos(t, 0, dir).objects("try"); len(list) > 0 {
		t.Errorf("%q", list)
	}
}

// TestSlurmPending: elements of other jobs, and held elements, are not pending.
func TestSlurmPending(t *testing.T) {
	id := strings.Repeat("0", 64)
	bin := t.TempDir()
	script := `#!/bin/sh
echo "$@" > "$0.args"
cat <<END
mancheck-0000000000-abc 0 None
mancheck-0000000000-abc 7 Resources
mancheck-0000000000-abc 8 launch failed requeued held
mancheck-0000000000-abc 9 launch_failed_requeued_held
mancheck-0000000000-def 3 JobHeldUser
mancheck-0000000000-driver N/A None
mancheck-1111111111-abc 1 None
other 2 None
END
`
	if err := os.WriteFile(filepath.Join(bin, "squeue"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	got, err := (&Slurm{Job: id}).Pending(t.Context())
	if err != nil || fmt.Sprint(got) != "map[abc:[0 7] def:[3]]" {
		t.Error(got, err)
	}
}

func TestIndexes(t *testing.T) {
	set := map[int]bool{}
	if err := addIndexes(set, "1,3-5,8"); err != nil || fmt.Sprint(set) != "map[1:true 3:true 4:true 5:true 8:true]" {
		t.Error(set, err)
	}
	if err := addIndexes(set, ""); err != nil || len(set) != 5 {
		t.Error(set, err)
	}
	for _, bad := range []string{"x", "1-", "1,,x"} {
		if err := addIndexes(set, bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestQuotes: quoted words pass through shells and sbatch unchanged.
func TestQuotes(t *testing.T) {
	for _, word := range []string{"plain", "it's", `a "b" $c`, "", "-x=1,2"} {
		out, err := exec.Command("sh", "-c", "printf %s "+shellWord(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q became %q, %v", word, out, err)
		}
	}
}

// TestSlurmScripts: the scripts are valid, and pass on words unchanged.
func TestSlurmScripts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "echo")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nfor w; do echo \"[$w]\"; done\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	list := SlurmScripts(Settings{Job: strings.Repeat("0", 64), Dir: dir, Program: program, Resume: []string{"plan", "resume", dir}, Memory: 1 << 30, Time: 61 * time.Second})
	for i, want := range []string{"[task]\n[" + dir + "]\n[--batch]\n[b]\n[--list]\n[3]\n", "[plan]\n[resume]\n[" + dir + "]\n"} {
		cmd := exec.Command("sh", "-s", "b")
		cmd.Stdin = strings.NewReader(list[i].Text)
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=3")
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("%s: %v\n%swant\n%s", list[i].Name, err, out, want)
		}
	}
	if !strings.Contains(list[0].Text, "#SBATCH --time=2\n") || !strings.Contains(list[0].Text, "#SBATCH --mem=1224M\n") {
		t.Error(list[0].Text)
	}
}
