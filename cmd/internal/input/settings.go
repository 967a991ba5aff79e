package input

import (
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/build"
)

// Settings reads the values of `-p NAME=VALUE`.
func Settings(args []string) (build.Settings, diag.List) {
	out := build.Settings{}
	var diags diag.List
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			diags.Errorf(diag.ParamType, param, "`%s` gives no parameter a value", arg).WithHelp("write NAME=VALUE")
			continue
		}
		v, err := build.ParseValue(value)
		if err != nil {
			diags.Errorf(diag.ParamType, param, "parameter `%s`: %v", name, err)
			continue
		}
		if _, twice := out[name]; twice {
			diags.Errorf(diag.Duplicate, param, "parameter `%s` is given twice", name)
		}
		out[name] = v
	}
	return out, diags
}

// param is where diagnostics about `-p` point.
var param = diag.Range{File: "-p"}

// MostValues is how many values a parameter may take in turn.
const MostValues = 1000

// Ranges reads `-p NAME=VALUES`: values and ranges a..b with commas between them; both stands for
// false and true. It returns the names in order, with the values of each, of which none comes
// twice.
func Ranges(args []string) (names []string, values map[string][]build.Value, diags diag.List) {
	values = map[string][]build.Value{}
	for _, arg := range args {
		name, list, _ := strings.Cut(arg, "=")
		for text := range strings.SplitSeq(strings.ReplaceAll(list, "both", "false,true"), ",") {
			from, to, is := strings.Cut(text, "..")
			if !is {
				to = from
			}
			first, wrong := Settings([]string{strings.TrimSuffix(arg, list) + from})
			last, also := Settings([]string{name + "=" + to})
			v, end := first[name], last[name]
			switch {
			case wrong.HasErrors():
				diags = append(diags, wrong...)
			case also.HasErrors() || is && (v.Bool || end.Bool) || end.N < v.N || end.N-v.N >= MostValues:
				diags.Errorf(diag.EmptyRange, param, "parameter `%s`: %q is no range of at most %d numbers", name, text, MostValues).
					WithHelp("write FIRST..LAST, as in 2..6")
			}
			for ; !diags.HasErrors() && v.N <= end.N; v.N++ {
				values[name] = append(values[name], v)
			}
		}
		values[name], names = lists.Distinct(values[name]), append(names, name)
	}
	if len(lists.Distinct(names)) < len(names) {
		diags.Errorf(diag.Duplicate, param, "a parameter is given twice: write its values as in 2,4..6")
	}
	return names, values, diags
}
