package build

import (
	"fmt"
	"maps"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/family"
)

// Least returns the least size that the instance is about.
func (i *Instance) Least() int { return i.Settings[i.Size].N }

// AtSize returns the instance of one size of a claim about every size.
func (i *Instance) AtSize(n int) (*Instance, error) {
	at := *i
	at.Size, at.Settings = "", maps.Collect(maps.All(i.Settings))
	at.Settings[i.Size] = board.Value{N: n, At: i.Settings[i.Size].At}
	var diags diag.List
	at.fill(&diags)
	return &at, diags.Err()
}

// AtSizes returns the instances of a size and the next one.
func (i *Instance) AtSizes(n int) (at, next *Instance, err error) {
	if at, err = i.AtSize(n); err == nil {
		next, err = i.AtSize(n + 1)
	}
	return at, next, err
}

// furtherSizes is how many sizes after the first are compared at least.
const furtherSizes = 8

// Family returns the family of the instance's rules from a size on, that grows behind the pits xs.
// The error is a *SizeError if the rules are not known to be alike for all these sizes.
//
// By Uniform, stretches of pits end at c + d·n, with |c| no more than reach. So none of these ends
// meets or passes another one at sizes above 2·reach + 1, and what two sizes above that differ by,
// all greater ones do. All sizes up to there are compared with what the resolver makes.
func (i *Instance) Family(at int, xs []int) (*family.Family, error) {
	f, err := i.Likely(at, xs)
	if err != nil {
		return nil, err
	}
	reach, err := i.Uniform()
	if err == nil {
		err = i.compare(f, at+2, at+2*reach+furtherSizes)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Likely returns what Family does if the rules are alike for all these sizes. It compares only two
// of them, and so is for what comes before a proof.
func (i *Instance) Likely(at int, xs []int) (*family.Family, error) {
	if _, err := i.Uniform(); err != nil {
		return nil, err
	}
	base, next, err := i.AtSizes(at)
	if err != nil {
		return nil, err
	}
	f, err := family.New(base.System, next.System, i.Size, at, xs)
	if err != nil {
		return nil, &SizeError{Message: err.Error()}
	}
	if err := i.compare(f, at, at+1); err != nil {
		return nil, err
	}
	return f, nil
}

// compare compares the Systems of sizes in a family with what the resolver makes.
func (i *Instance) compare(f *family.Family, first, last int) error {
	for n := first; n <= last; n++ {
		if i.Claim.unit.ended() {
			return i.Claim.unit.Context.Err()
		}
		at, err := i.AtSize(n)
		if err != nil {
			return err
		}
		made, err := f.System(n)
		if err != nil {
			return &SizeError{Message: err.Error()}
		}
		if was, is := string(made.Canonical()), string(at.System.Canonical()); was != is {
			return &SizeError{Message: fmt.Sprintf("the rules for %s = %d are not those for %s = %d with more pits in between: %s",
				i.Size, n, i.Size, f.At, firstDifference(was, is))}
		}
	}
	return nil
}

// Middle returns the family of the instance's rules from the least size for which there is one. It
// grows in the middle of each stretch, whatever the claim.
func (i *Instance) Middle() (f *family.Family, err error) {
	for at := i.Least(); at <= i.Least()+furtherSizes; at++ {
		if f, err = i.middle(at); err == nil {
			return f, nil
		}
	}
	return nil, err
}

func (i *Instance) middle(at int) (*family.Family, error) {
	base, next, err := i.AtSizes(at)
	if err != nil {
		return nil, err
	}
	stretches, err := family.Stretches(base.System, next.System)
	if err != nil {
		return nil, &SizeError{Message: err.Error()}
	}
	xs := lists.Map(stretches, func(s family.Stretch) int { return (s.First + s.Last) / 2 })
	return i.Family(at, xs)
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
