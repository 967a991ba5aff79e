package dispatch

import (
	"cmp"
	"encoding/json"
	"strings"
	"text/template"
	"time"
)

// Settings has the values that are filled into scripts and manifests.
type Settings struct {
	Job      string   // hash of the plan
	Dir      string   // the depot, by a name that is valid on all machines
	Home     string   // folder of the scripts and of the logs; the default is Dir
	Program  string   // path of mancheck on the nodes
	Resume   []string // arguments with which Program runs as the driver
	Memory   int64    // bytes for a worker process
	Time     time.Duration
	Parallel int

	// For Kubernetes only.
	Image  string
	Volume string // the PersistentVolumeClaim whose volume holds Dir; empty: Dir is a bucket
	Space  string // the namespace
}

// Script is a batch script or a manifest.
type Script struct{ Name, Text string }

// SlurmTasks is the name of the script for job arrays.
const SlurmTasks = "tasks.sbatch"

// SlurmScripts returns the scripts for sbatch: one for job arrays, which the driver submits, and
// one that runs the driver.
func SlurmScripts(s Settings) []Script {
	return []Script{{SlurmTasks, s.fill(slurmTasks)}, {"driver.sbatch", s.fill(slurmDriver)}}
}

const slurmTasks = `#!/bin/sh
# Runs tasks of a mancheck job. The driver submits this as a job array, with the name of a batch:
#
#     sbatch --array=0-99 --job-name={{.Name}}BATCH {{.Path "tasks.sbatch"}} BATCH
#
# Lines may be added here, for example for an account, a partition or modules. Keep --requeue.
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
#SBATCH --mem={{.Megabytes}}M
#SBATCH --time={{.Minutes}}
#SBATCH --requeue
#SBATCH --output={{.Log "%x.%a"}}
#SBATCH --open-mode=append

exec {{sh .Program}} task {{sh .Dir}} --batch "$1" --list "$SLURM_ARRAY_TASK_ID"
`

const slurmDriver = `#!/bin/sh
# Drives a mancheck job: submits tasks, phase by phase, until the job is done. All state is in the
# depot, so the driver may be cancelled and submitted again at any time:
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

// KubernetesTasks is the name of the manifest for tasks.
const KubernetesTasks = "tasks.yaml"

// KubernetesManifests returns the manifests for kubectl: the Job of a batch, in which the driver
// fills in BATCH, LISTS and PARALLEL, and the driver with its ServiceAccount and Role.
func KubernetesManifests(s Settings) []Script {
	return []Script{{KubernetesTasks, s.fill(kubernetesTasks)}, {"driver.yaml", s.fill(kubernetesDriver)}}
}

// Placeholders in the manifest for tasks, which the driver replaces.
const (
	batchWord    = "$(BATCH)"
	listsWord    = "$(LISTS)"
	parallelWord = "$(PARALLEL)"
)

// kubernetesDepot gives a container access to the depot.
const kubernetesDepot = `{{- if .Volume}}
        volumeMounts:
        - name: depot
          mountPath: {{yaml .Dir}}
      volumes:
      - name: depot
        persistentVolumeClaim:
          claimName: {{yaml .Volume}}
{{- else}}
        envFrom: # credentials for the bucket, such as AWS_ACCESS_KEY_ID
        - secretRef:
            name: mancheck
            optional: true
{{- end}}
`

// Failed tasks are retried by the driver and not by Kubernetes, which only replaces pods that were
// disrupted, as when a node is drained.
const kubernetesTasks = `# Runs tasks of a mancheck job. The driver creates this Job, with a name in place of each $(BATCH).
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

const kubernetesDriver = `# Drives a mancheck job: creates Jobs, phase by phase, until the job is done. All state is in the
# depot, so the driver may be deleted and applied again at any time. Its image needs kubectl.
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

func (s Settings) fill(text string) string {
	functions := template.FuncMap{"sh": shellWord, "yaml": yamlString, "arg": yamlArg}
	var out strings.Builder
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&out, s); err != nil {
		panic(err) // the templates are constants
	}
	return out.String()
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
