package endgame

import (
	"context"
	"errors"
	"testing"
)

// TestShareCause: when the context ends, the error is its cause, whatever the calls make of that.
// Otherwise it is that of the first call that failed.
func TestShareCause(t *testing.T) {
	limit, own := errors.New("a limit"), errors.New("an own error")
	for _, ends := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		err := share(ctx, []int{0, 1}, 10, func(ctx context.Context, _, i int) error {
			if i != 3 {
				return nil
			}
			if ends {
				cancel(limit)
			}
			return own
		})
		if want := map[bool]error{false: own, true: limit}[ends]; !errors.Is(err, want) {
			t.Errorf("the context ends: %v; error %v", ends, err)
		}
		cancel(nil)
	}
}
