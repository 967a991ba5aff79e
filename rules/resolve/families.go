package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/family"
)

// Least returns the least size that the instance is about.
func (i *Instance) Least() int { return i.Settings[i.Size].N }

// AtSize returns the instance of one size of a claim about every size.
func (i *Instance) AtSize(n int) (*Instance, error) {
	at := *i
	at.Size, at.Settings = "", copyOf(i.Settings)
	at.Settings[i.Size] = Value{N: n, At: i.Settings[i.Size].At}
	var diags diag.List
	at.fill(&diags)
	return &at, diags.Err()
}

// furtherSizes is how many sizes after the first are compared at least.
const furtherSizes = 8

// Family returns the family of the instance's rules from a size on, that grows behind the pits xs.
// The text of the rules is such that the size decides nothing but where stretches of pits end, and
// so many sizes are compared with what the resolver makes that all greater ones are as well. The
// error is a *SizeError if the rules are not so.
func (i *Instance) Family(at int, xs []int) (*family.Family, error) {
	reach, err := i.Uniform()
	if err != nil {
		return nil, err
	}
	base, err := i.AtSize(at)
	if err != nil {
		return nil, err
	}
	next, err := i.AtSize(at + 1)
	if err != nil {
		return nil, err
	}
	f, err := family.New(base.System, next.System, i.Size, at, xs)
	if err != nil {
		return nil, &SizeError{Message: err.Error()}
	}
	// Where stretches end is c + d·n for each of their ends, and the pits of a seam are some of the
	// first `at` of theirs or of the last. Two of these meet or cross only at sizes up to the sum of
	// the absolute values of their c.
	for n := at; n <= at+2*reach+furtherSizes; n++ {
		if i.Claim.unit.ended() {
			return nil, i.Claim.unit.Context.Err()
		}
		real, err := i.AtSize(n)
		if err != nil {
			return nil, err
		}
		made, err := f.System(n)
		if err != nil {
			return nil, &SizeError{Message: err.Error()}
		}
		if was, is := string(made.Canonical()), string(real.System.Canonical()); was != is {
			return nil, &SizeError{Message: fmt.Sprintf("the rules for %s = %d are not those for %s = %d with more pits in between: %s",
				i.Size, n, i.Size, at, firstDifference(was, is))}
		}
	}
	return f, nil
}

// Telling lists the instances of the sizes from one on that tell about all greater ones: they are
// more than those in which two ends of stretches meet, and more than the powers of the size in a
// number that the claim compares.
func (i *Instance) Telling(at int) ([]*Instance, error) {
	reach, err := i.Uniform()
	if err != nil {
		return nil, err
	}
	var list []*Instance
	for n := at; n <= at+2*reach+furtherSizes+greatDegree; n++ {
		one, err := i.AtSize(n)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}
