package main

type proveCmd struct {
	Paths []string `arg:"" optional:"" name:"path" help:"Rules files, and folders with rules files; - is standard input. The default is the current folder."`
	suiteFlags
}

// usualStates is the default limit on states for each search of prove. Without a solver, searches
// that an induction would make unnecessary could otherwise go on until the memory is full.
const usualStates = 5_000_000

// Run decides the claims with the cache and lists the verdicts.
func (c *proveCmd) Run(s *session) error {
	return c.decide(s, c.Paths, suiteStyle{command: "prove", cache: "readwrite", brief: true, summary: true, states: usualStates})
}
