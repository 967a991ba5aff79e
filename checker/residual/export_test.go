package residual

// FellBack returns how many states were left to the interpreter.
func (s *Stepper) FellBack() int { return s.fellBack }

// Points returns the number of program points reached.
func (s *Stepper) Points() int { return len(s.compiler.known) }

// Moves returns the number of lines with moves under a condition.
func (s *Stepper) Moves() int { return len(s.moves) - 1 }

// MovesBetween returns the number of operations that move seeds between words under a condition.
func (s *Stepper) MovesBetween() int { return len(s.transfers) }
