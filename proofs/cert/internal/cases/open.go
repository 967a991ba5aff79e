package cases

import "fmt"

// OpenError says why something is not shown. It may be true or false.
type OpenError struct{ Reason string }

func (e *OpenError) Error() string { return e.Reason }

func open(format string, args ...any) error { return &OpenError{fmt.Sprintf(format, args...)} }
