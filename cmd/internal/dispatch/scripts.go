package dispatch

import (
	"cmp"
	"embed"
	"encoding/json"
	"strings"
	"text/template"
	"time"
)

// Settings has the values that are filled into scripts and manifests.
type Settings struct {
	Job     string   // hash of the plan
	Dir     string   // the depot, by a name that is valid on all machines
	Home    string   // folder of the scripts and of the logs; the default is Dir
	Program string   // path of mancheck on the nodes
	Resume  []string // arguments with which Program runs as the driver
	Memory  int64    // bytes for a worker process
	Time    time.Duration

	// For Kubernetes only.
	Image  string
	Volume string // the PersistentVolumeClaim whose volume holds Dir; empty: Dir is a bucket
	Space  string // the namespace
}

//go:embed scripts
var templates embed.FS

// access is the template of what gives a container access to the depot.
const access = "depot.yaml"

// Script is a batch script or a manifest.
type Script struct{ Name, Text string }

// SlurmTasks is the name of the script for job arrays.
const SlurmTasks = "tasks.sbatch"

// SlurmScripts returns the scripts for sbatch: one for job arrays, which the driver submits, and
// one that runs the driver.
func SlurmScripts(s Settings) []Script {
	return []Script{s.fill(SlurmTasks), s.fill("driver.sbatch")}
}

// KubernetesTasks is the name of the manifest for tasks.
const KubernetesTasks = "tasks.yaml"

// KubernetesManifests returns the manifests for kubectl: the Job of a batch, in which the driver
// fills in BATCH, LISTS and PARALLEL, and the driver with its ServiceAccount and Role. Failed tasks
// are retried by the driver and not by Kubernetes, which only replaces pods that were disrupted, as
// when a node is drained.
func KubernetesManifests(s Settings) []Script {
	return []Script{s.fill(KubernetesTasks, access), s.fill("driver.yaml", access)}
}

// Placeholders in the manifest for tasks, which the driver replaces.
const (
	batchWord    = "$(BATCH)"
	listsWord    = "$(LISTS)"
	parallelWord = "$(PARALLEL)"
)

// Name is the prefix of the names of jobs.
func (s Settings) Name() string { return jobName(s.Job) }

// Short is a prefix of the hash of the plan, for labels.
func (s Settings) Short() string { return s.Job[:10] }

// Megabytes is the memory limit of a worker process: that of its tasks, and some for the program.
func (s Settings) Megabytes() int64 { return s.Memory>>20 + 200 }

// Seconds is the time limit of a process, rounded up.
func (s Settings) Seconds() int64 { return int64((s.Time + time.Second - 1) / time.Second) }

// Minutes is the time limit of a process, rounded up.
func (s Settings) Minutes() int64 { return int64((s.Time + time.Minute - 1) / time.Minute) }

// home is the folder of the scripts.
func (s Settings) home() string { return cmp.Or(s.Home, s.Dir) }

// Path is a file in the folder of the scripts, quoted for a shell.
func (s Settings) Path(name string) string { return shellWord(s.home() + "/" + name) }

// Log is a file for the output of a process, quoted for an #SBATCH line.
func (s Settings) Log(name string) string {
	path := strings.ReplaceAll(s.home(), "%", "%%") + "/log/" + name
	if strings.Contains(path, `"`) {
		return "'" + path + "'"
	}
	return `"` + path + `"`
}

// fill fills in a template, and those of which it is only the beginning.
func (s Settings) fill(name string, behind ...string) Script {
	text := ""
	for _, n := range append([]string{name}, behind...) {
		part, err := templates.ReadFile("scripts/" + n)
		if err != nil {
			panic(err) // they are all in the program
		}
		text += string(part)
	}
	functions := template.FuncMap{"sh": shellWord, "yaml": yamlString, "arg": yamlArg}
	var out strings.Builder
	if err := template.Must(template.New(name).Funcs(functions).Parse(text)).Execute(&out, s); err != nil {
		panic(err) // the templates do not change
	}
	return Script{name, out.String()}
}

// shellWord quotes a word for a shell if necessary.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '-' || r == '_' || r == '.' || r == '=' || r == ',' || r == '+' ||
			'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if s != "" && strings.TrimFunc(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// yamlString quotes a string for YAML, which includes JSON.
func yamlString(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // cannot happen for a string
	}
	return string(text)
}

// yamlArg quotes an argument of a container, in which Kubernetes would expand $(X).
func yamlArg(s string) string { return yamlString(strings.ReplaceAll(s, "$(", "$$(")) }
