package backward

import "fmt"

// HardError says that predecessors cannot be constructed completely.
type HardError struct{ Reason string }

func (e *HardError) Error() string { return e.Reason }

func hard(format string, args ...any) error { return &HardError{fmt.Sprintf(format, args...)} }
