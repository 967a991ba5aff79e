package dispatch

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/file"
)

// Kubernetes is the Queue of Kubernetes. A batch is an Indexed Job.
type Kubernetes struct {
	Job      string // hash of the plan
	Manifest string // the file KubernetesTasks
	Space    string // the namespace
	Parallel int    // pods at a time; 0: DefaultParallel
}

// DefaultParallel is the default number of pods of a Job at a time. Pods for which the cluster has
// no room wait.
const DefaultParallel = 100

// MostIndexes is the most indexes of a Job with backoffLimitPerIndex.
const MostIndexes = 100_000

// Submit implements Queue.
func (q *Kubernetes) Submit(ctx context.Context, batch string, lists int) error {
	text, err := file.Read(q.Manifest)
	if err != nil {
		return err
	}
	filled := strings.NewReplacer(
		batchWord, batch, listsWord, strconv.Itoa(lists), parallelWord, strconv.Itoa(min(lists, cmp.Or(q.Parallel, DefaultParallel))),
	).Replace(string(text))
	_, err = output(ctx, []byte(filled), "kubectl", "create", "-f", "-")
	return err
}

// Pending implements Queue.
func (q *Kubernetes) Pending(ctx context.Context) (map[string][]int, error) {
	label := "mancheck/job=" + Settings{Job: q.Job}.Short()
	text, err := output(ctx, nil, "kubectl", "get", "jobs", "--namespace="+q.Space, "-l", label, "-o", "json")
	if err != nil {
		return nil, err
	}
	var all struct { // what is used of the output
		Items []struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct{ Completions int }
			Status   struct {
				Conditions                      []struct{ Type, Status string }
				CompletedIndexes, FailedIndexes string
			}
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, &UnavailableError{"kubectl", err}
	}
	pending := map[string][]int{}
	for _, job := range all.Items {
		over := map[int]bool{}
		for _, list := range []string{job.Status.CompletedIndexes, job.Status.FailedIndexes} {
			if err := addIndexes(over, list); err != nil {
				return nil, &UnavailableError{"kubectl", err}
			}
		}
		ended := false
		for _, c := range job.Status.Conditions {
			ended = ended || c.Status == "True" && (c.Type == "Complete" || c.Type == "Failed")
		}
		batch := job.Metadata.Labels["mancheck/batch"]
		for i := 0; i < job.Spec.Completions && !ended; i++ {
			if !over[i] {
				pending[batch] = append(pending[batch], i)
			}
		}
	}
	return pending, nil
}

// addIndexes adds the numbers of a list such as "1,3-5,7" to a set.
func addIndexes(set map[int]bool, list string) error {
	for part := range strings.SplitSeq(list, ",") {
		if part == "" {
			continue
		}
		first, last, ranged := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && ranged {
			to, err = strconv.Atoi(last)
		}
		if err != nil {
			return fmt.Errorf("bad list of indexes of a Job: %q", list)
		}
		for i := from; i <= to; i++ {
			set[i] = true
		}
	}
	return nil
}
