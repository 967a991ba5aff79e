package main

type checkCmd struct {
	Paths []string `arg:"" name:"path" help:"Rules files, and folders with rules files; - is standard input."`
	suiteFlags
}

// Run decides the claims and shows the evidence.
func (c *checkCmd) Run(s *session) error {
	return c.decide(s, c.Paths, suiteStyle{command: "check", cache: "off", traces: true, strict: true})
}
