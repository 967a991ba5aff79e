package input

import (
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
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
