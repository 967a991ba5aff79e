package resolve

import (
	"github.com/mancheck/mancheck/rules"
)

// NeverStuck asserts that no reachable state is stuck or endless.
type NeverStuck struct{}

func (*NeverStuck) others() []*rules.System { return nil }
