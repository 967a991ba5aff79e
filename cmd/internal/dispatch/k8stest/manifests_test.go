// Package k8stest validates the manifests against the types of Kubernetes. It is a separate module,
// so that the program does not depend on these types.
package k8stest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

// manifests lets the program write manifests, and returns them by name.
func manifests(t *testing.T) (dir, tasks, driver string) {
	t.Helper()
	program := os.Getenv("MANCHECK")
	if program == "" {
		t.Skip("scripts/kubernetes-tests runs it")
	}
	dir = filepath.Join(t.TempDir(), `a "folder" of $(HOME): 50 %`)
	cmd := exec.Command(program, "plan", "count", os.Getenv("RULES"), "--dir", dir, "--on=kubernetes", "--memory=3GiB", "--image=registry.example/m:1", "--volume=games", "--namespace=research", "--jobs=20", "--time=90m")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return dir, read("tasks.yaml"), read("driver.yaml")
}

// strictly reads a manifest. Unknown fields are errors.
func strictly(t *testing.T, text string, v any) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(text), v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

func TestTasks(t *testing.T) {
	dir, text, _ := manifests(t)
	// Filled in as by the driver.
	var job batch.Job
	strictly(t, strings.NewReplacer("$(BATCH)", "2g646fs4wxacd", "$(LISTS)", "7", "$(PARALLEL)", "3").Replace(text), &job)
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Namespace != "research" {
		t.Errorf("%+v", job.TypeMeta)
	}
	if bad := validation.IsDNS1123Subdomain(job.Name); len(bad) > 0 || len(job.Name) > 63 || !strings.HasSuffix(job.Name, "-2g646fs4wxacd") {
		t.Errorf("name %q: %v", job.Name, bad)
	}
	for key, value := range job.Labels {
		if bad := append(validation.IsQualifiedName(key), validation.IsValidLabelValue(value)...); len(bad) > 0 {
			t.Errorf("label %s=%s: %v", key, value, bad)
		}
	}
	s := job.Spec
	if *s.CompletionMode != batch.IndexedCompletion || *s.Completions != 7 || *s.Parallelism != 3 || *s.BackoffLimitPerIndex != 0 || s.Template.Spec.RestartPolicy != core.RestartPolicyNever ||
		*s.Template.Spec.ActiveDeadlineSeconds != 5400 {
		t.Errorf("%+v", s)
	}
	ignores(t, s.PodFailurePolicy)
	container(t, s.Template.Spec, dir, []string{"task", dir, "--batch", "2g646fs4wxacd"})
	if got := s.Template.Spec.Containers[0].Resources.Limits.Memory().Value(); got != (3<<10+200)<<20 {
		t.Errorf("memory %d", got)
	}
}

// ignores fails if disrupted pods count as failures.
func ignores(t *testing.T, p *batch.PodFailurePolicy) {
	t.Helper()
	if p == nil || !slices.ContainsFunc(p.Rules, func(r batch.PodFailurePolicyRule) bool {
		return r.Action == batch.PodFailurePolicyActionIgnore && len(r.OnPodConditions) == 1 &&
			r.OnPodConditions[0].Type == core.DisruptionTarget && r.OnPodConditions[0].Status == core.ConditionTrue
	}) {
		t.Errorf("%+v", p)
	}
}

// container checks the command and the volume of the container of a pod.
func container(t *testing.T, pod core.PodSpec, dir string, args []string) {
	t.Helper()
	if len(pod.Containers) != 1 || len(pod.Volumes) != 1 {
		t.Fatalf("%+v", pod)
	}
	c, v := pod.Containers[0], pod.Volumes[0]
	// Kubernetes unescapes $$( to $(.
	var got []string
	for _, a := range c.Args {
		got = append(got, strings.ReplaceAll(a, "$$(", "$("))
	}
	if !slices.Equal(got, args) || c.Image != "registry.example/m:1" || !slices.Equal(c.Command, []string{"mancheck"}) {
		t.Errorf("%q %q of %s, want %q", c.Command, got, c.Image, args)
	}
	if len(c.VolumeMounts) != 1 || c.VolumeMounts[0].Name != v.Name || c.VolumeMounts[0].MountPath != dir || v.PersistentVolumeClaim == nil || v.PersistentVolumeClaim.ClaimName != "games" {
		t.Errorf("%+v %+v", c.VolumeMounts, v)
	}
	if c.Resources.Requests.Cpu().IsZero() || c.Resources.Requests.Memory().IsZero() {
		t.Errorf("%+v", c.Resources)
	}
}

func TestDriver(t *testing.T) {
	dir, _, text := manifests(t)
	parts := strings.Split(text, "\n---\n")
	if len(parts) != 4 {
		t.Fatalf("%d parts", len(parts))
	}
	var account core.ServiceAccount
	var role rbac.Role
	var binding rbac.RoleBinding
	var job batch.Job
	strictly(t, parts[0], &account)
	strictly(t, parts[1], &role)
	strictly(t, parts[2], &binding)
	strictly(t, parts[3], &job)
	for _, m := range []struct{ kind, version, space string }{
		{account.Kind, account.APIVersion, account.Namespace},
		{role.Kind, role.APIVersion, role.Namespace},
		{binding.Kind, binding.APIVersion, binding.Namespace},
		{job.Kind, job.APIVersion, job.Namespace},
	} {
		want := map[string]string{
			"ServiceAccount": "v1", "Role": "rbac.authorization.k8s.io/v1", "RoleBinding": "rbac.authorization.k8s.io/v1", "Job": "batch/v1",
		}[m.kind]
		if want == "" || m.version != want || m.space != "research" {
			t.Errorf("%+v", m)
		}
	}
	if len(role.Rules) != 1 || !slices.Equal(role.Rules[0].APIGroups, []string{"batch"}) || !slices.Equal(role.Rules[0].Resources, []string{"jobs"}) || !slices.Equal(role.Rules[0].Verbs, []string{"create", "get", "list"}) {
		t.Errorf("%+v", role.Rules)
	}
	if len(binding.Subjects) != 1 || binding.Subjects[0].Kind != "ServiceAccount" || binding.Subjects[0].Name != account.Name || binding.Subjects[0].Namespace != "research" ||
		binding.RoleRef.Name != role.Name || binding.RoleRef.Kind != "Role" || job.Spec.Template.Spec.ServiceAccountName != account.Name {
		t.Errorf("%+v", binding)
	}
	if job.Spec.Template.Spec.RestartPolicy != core.RestartPolicyNever || *job.Spec.BackoffLimit < 1 {
		t.Errorf("%+v", job.Spec)
	}
	ignores(t, job.Spec.PodFailurePolicy)
	container(t, job.Spec.Template.Spec, dir, []string{"plan", "resume", dir, "--on=kubernetes", "--keep-tries", "--each=1", "--poll=10s", "--jobs=20", "--namespace=research"})
}

// TestStrict: an unknown field is an error.
func TestStrict(t *testing.T) {
	var job batch.Job
	if yaml.UnmarshalStrict([]byte("spec:\n  completion: 1\n"), &job) == nil {
		t.Error("no error")
	}
}
