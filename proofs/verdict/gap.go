package verdict

// Gap is why nobody has checked a verdict: one of the types of this file.
//
//sumtype:decl
type Gap interface{ gap() }

type (
	// OverBudget is that the check would take more states than its budget.
	OverBudget struct{ States int }
	// NoCertificate is that there is no certificate for this kind of verdict.
	NoCertificate struct{}
	// Uncertified is that a certificate, which was not asked for, would show it; and why nothing
	// else does.
	Uncertified struct{ Why Detail }
	// NotChecked is what kept the check from an answer.
	NotChecked struct{ Why Detail }
)

func (OverBudget) gap()    {}
func (NoCertificate) gap() {}
func (Uncertified) gap()   {}
func (NotChecked) gap()    {}
