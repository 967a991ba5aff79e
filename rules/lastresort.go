package rules

// LastResort reports whether the action is legal only where no action is that is no Fallback, and
// its guard is never a fault elsewhere.
func (a *Action) LastResort() bool {
	for _, x := range Conjuncts(a.Guard) {
		switch {
		case x == Expr(NoMove):
			return a.Fallback
		case !NeverFails(x):
			return false
		}
	}
	return false
}
