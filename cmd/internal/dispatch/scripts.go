package dispatch

import (
	"cmp"
	"encoding/json"
	"strings"
	"text/template"
	"time"
)

// Settings are what the scripts and manifests of an engine are made from.
type Settings struct {
	Job      string   // hash of the plan
	Dir      string   // the depot, by the name that all machines know it by
	Home     string   // folder of the scripts and of what processes say; the default is Dir
	Program  string   // mancheck, where tasks run
	Resume   []string // arguments with which the program drives the job from there
	Memory   int64    // bytes for a process that runs tasks
	Time     time.Duration
	Parallel int

	// Of Kubernetes.
	Image  string
	Volume string // the claim to a volume that has Dir; empty: Dir is a bucket
	Space  string // the namespace
}

// Script is a file for a queue.
type Script struct{ Name, Text string }

// SlurmTasks is the name of the script of job arrays.
const SlurmTasks = "tasks.sbatch"

// SlurmScripts returns what sbatch takes: a script for job arrays, which the driver submits, and
// one that drives the job.
func SlurmScripts(s Settings) []Script {
	return []Script{{SlurmTasks, s.fill(slurmTasks)}, {"driver.sbatch", s.fill(slurmDriver)}}
}

const slurmTasks = `#!/bin/sh
# Tasks of a job of mancheck. The driver submits this, as an array, with the name of a batch:
#
#     sbatch --array=0-99 --job-name={{.Name}}BATCH {{.Path "tasks.sbatch"}} BATCH
#
# Lines may be added here, as for an account, a partition or modules. --requeue has to stay.
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
#SBATCH --mem={{.Megabytes}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --output={{.Log "%x.%a"}}
#SBATCH --open-mode=append

exec {{sh .Program}} task {{sh .Dir}} --batch "$1" --list "$SLURM_ARRAY_TASK_ID"
`

const slurmDriver = `#!/bin/sh
# Drives a job of mancheck: submits the tasks of one phase after another until all are done. It has
# no state of its own, so it can be cancelled and submitted again at any time:
#
#     sbatch {{.Path "driver.sbatch"}}
#
# Before its time limit it is requeued. Lines may be added here, such as --time, an account or a
# partition; --requeue and --signal have to stay.
#SBATCH --job-name={{.Name}}driver
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
#SBATCH --mem=2000M
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
#SBATCH --output={{.Log "driver"}}
#SBATCH --open-mode=append

limit=
trap limit=near USR1
{{sh .Program}}{{range .Resume}} {{sh .}}{{end}} &
wait $!
status=$?
if [ -n "$limit" ]; then
  kill $!
  wait $!
  scontrol requeue "$SLURM_JOB_ID"
fi
exit $status
`

// KubernetesTasks is the name of the manifest of the tasks.
const KubernetesTasks = "tasks.yaml"

// KubernetesManifests returns what kubectl takes: the Job of a batch, which the driver creates with
// its BATCH and LISTS filled in, and the driver, with what it has to be allowed to do.
func KubernetesManifests(s Settings) []Script {
	return []Script{{KubernetesTasks, s.fill(kubernetesTasks)}, {"driver.yaml", s.fill(kubernetesDriver)}}
}

// The words of the manifest of tasks in whose place the driver writes something else.
const (
	batchWord    = "$(BATCH)"
	listsWord    = "$(LISTS)"
	parallelWord = "$(PARALLEL)"
)

// kubernetesDepot lets a container at the depot.
const kubernetesDepot = `{{- if .Volume}}
        volumeMounts:
        - name: depot
          mountPath: {{yaml .Dir}}
      volumes:
      - name: depot
        persistentVolumeClaim:
          claimName: {{yaml .Volume}}
{{- else}}
        envFrom: # what the bucket asks for, such as AWS_ACCESS_KEY_ID
        - secretRef:
            name: mancheck
            optional: true
{{- end}}
`

// A task that fails is not tried again by Kubernetes, but by the driver; unless its node went away.
const kubernetesTasks = `# Tasks of a job of mancheck. The driver creates this with a name in the place of each $(BATCH).
apiVersion: batch/v1
kind: Job
metadata:
  name: {{.Name}}$(BATCH)
  namespace: {{yaml .Space}}
  labels:
    mancheck/job: {{yaml .Short}}
    mancheck/batch: "$(BATCH)"
spec:
  completionMode: Indexed
  completions: $(LISTS)
  parallelism: $(PARALLEL)
  backoffLimitPerIndex: 0
  ttlSecondsAfterFinished: 600
  podFailurePolicy:
    rules:
    - action: Ignore
      onPodConditions:
      - type: DisruptionTarget
        status: "True"
  template:
    metadata:
      labels:
        mancheck/job: {{yaml .Short}}
    spec:
      restartPolicy: Never
      activeDeadlineSeconds: {{.Seconds}}
      containers:
      - name: tasks
        image: {{yaml .Image}}
        command: [{{arg .Program}}]
        args: ["task", {{arg .Dir}}, "--batch", "$(BATCH)"]
        resources:
          requests:
            cpu: "1"
            memory: {{.Megabytes}}Mi
          limits:
            memory: {{.Megabytes}}Mi
` + kubernetesDepot

const kubernetesDriver = `# Drives a job of mancheck: creates Jobs phase by phase until all is done. It keeps nothing in mind, so
# that it may be deleted and applied again at any time. Its image needs kubectl.
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{.Name}}driver
  namespace: {{yaml .Space}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{.Name}}driver
  namespace: {{yaml .Space}}
rules:
- apiGroups: ["batch"]
  resources: ["jobs"]
  verbs: ["create", "get", "list"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{.Name}}driver
  namespace: {{yaml .Space}}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{.Name}}driver
subjects:
- kind: ServiceAccount
  name: {{.Name}}driver
  namespace: {{yaml .Space}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{.Name}}driver
  namespace: {{yaml .Space}}
spec:
  backoffLimit: 10
  podFailurePolicy:
    rules:
    - action: Ignore
      onPodConditions:
      - type: DisruptionTarget
        status: "True"
    - action: FailJob
      onExitCodes:
        operator: In
        values: [2]
  template:
    spec:
      serviceAccountName: {{.Name}}driver
      restartPolicy: Never
      containers:
      - name: driver
        image: {{yaml .Image}}
        command: [{{arg .Program}}]
        args: [{{range $i, $a := .Resume}}{{if $i}}, {{end}}{{arg $a}}{{end}}]
        resources:
          requests:
            cpu: 100m
            memory: 2000Mi
          limits:
            memory: 2000Mi
` + kubernetesDepot

// Name is what the names of jobs begin with.
func (s Settings) Name() string { return jobName(s.Job) }

// Short is enough of the hash of the plan for a label.
func (s Settings) Short() string { return s.Job[:10] }

// Megabytes is the memory of a process, which has to have room for more than the blocks of a task.
func (s Settings) Megabytes() int64 { return s.Memory>>20 + 200 }

// Seconds is the time of a process.
func (s Settings) Seconds() int64 { return int64((s.Time + time.Second - 1) / time.Second) }

// Minutes is the time of a process, rounded up.
func (s Settings) Minutes() int64 { return int64((s.Time + time.Minute - 1) / time.Minute) }

// home is the folder of the scripts.
func (s Settings) home() string { return cmp.Or(s.Home, s.Dir) }

// Path is a file in the folder of the scripts, as a word of a shell.
func (s Settings) Path(name string) string { return shellWord(s.home() + "/" + name) }

// Log is a file for the output of a process, as a word of a line for sbatch, which knows quotes.
func (s Settings) Log(name string) string {
	path := strings.ReplaceAll(s.home(), "%", "%%") + "/log/" + name
	if strings.Contains(path, `"`) {
		return "'" + path + "'"
	}
	return `"` + path + `"`
}

func (s Settings) fill(text string) string {
	functions := template.FuncMap{"sh": shellWord, "yaml": yamlString, "arg": yamlArg}
	var out strings.Builder
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&out, s); err != nil {
		panic(err) // the templates are those above
	}
	return out.String()
}

// shellWord quotes a word for a shell, if it needs that.
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

// yamlString quotes a string for YAML, of which JSON is a part.
func yamlString(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings can be written
	}
	return string(text)
}

// yamlArg quotes an argument of a container, in which Kubernetes takes $(X) for a variable.
func yamlArg(s string) string { return yamlString(strings.ReplaceAll(s, "$(", "$$(")) }
