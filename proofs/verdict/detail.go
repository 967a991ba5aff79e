package verdict

// Detail is words that are not the tool's own: of a solver, or of a mistake in the rules; or an
// engine's description of what it cannot do. They are shown to people. They decide nothing, so they
// cannot be compared, and only package say reads them.
type Detail struct {
	_    [0]func() // so that == is an error of the compiler
	text string
}

// Words makes a Detail.
func Words(text string) Detail { return Detail{text: text} }

// ForSentence is the words, for package say alone.
func (d Detail) ForSentence() string { return d.text }

// MarshalText returns the words.
func (d Detail) MarshalText() ([]byte, error) { return []byte(d.text), nil }

// UnmarshalText reads them.
func (d *Detail) UnmarshalText(text []byte) error {
	d.text = string(text)
	return nil
}
