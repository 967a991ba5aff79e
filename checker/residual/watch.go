package residual

import "github.com/mancheck/mancheck/checker/pack"

// watch notes what closures read while an action is specialized.
type watch struct {
	varies []uint64   // by word, the bits that are not known; nil: nothing is noted
	saw    seen       // what was read of these
	field  pack.Field // the field of these that was read first
	ranged words      // the bits of fields that are known for now
	read   bool       // one of these was read
}

// seen is what closures have read of the fields that are not known.
type seen int

const (
	nothingSeen seen = iota
	oneSeen          // a field
	muchSeen         // more than one
)

// sees notes that a field was read.
func (s *watch) sees(f pack.Field) {
	s.read = s.read || s.varies != nil && s.ranged[f.Word]>>f.Shift&f.Mask != 0
	switch {
	case s.varies == nil || s.varies[f.Word]>>f.Shift&f.Mask == 0:
	case s.saw == nothingSeen:
		s.saw, s.field = oneSeen, f
	case s.field.Word != f.Word || s.field.Shift != f.Shift:
		s.saw = muchSeen
	}
}
