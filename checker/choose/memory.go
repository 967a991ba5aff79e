package choose

import (
	"context"
	"sync"
	"time"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
)

// Memory keeps what choices have found out, for the next ones of the same game. The zero value
// knows nothing. Several goroutines may use it, one after another. It is closed at the end.
type Memory struct {
	mu      sync.Mutex
	analyst *value.Analyst
	game    string
	seeds   int
	payoff  value.Payoff
}

// Close gives memory back.
func (m *Memory) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.close()
}

func (m *Memory) close() {
	if m.analyst != nil {
		m.analyst.Close()
		m.analyst = nil
	}
}

// analyse makes an analyst when it is needed. It may learn in half of the time.
func (m *Memory) analyse(ctx context.Context, sys *rules.System, st rules.State, opts Options, s value.Study) (*value.Analysis, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	began, game := time.Now(), sys.PlayHash()
	if m.game != game || m.seeds < st.Total() || m.payoff != opts.Payoff {
		m.close()
	}
	learning, stop := context.WithTimeout(ctx, s.Time/2)
	defer stop()
	if m.analyst == nil {
		a, err := value.NewAnalyst(ctx, sys, st, opts.Payoff, opts.Seed, value.Options{Bounds: opts.Bounds, Tables: opts.Tables})
		if err != nil {
			return nil, err
		}
		m.analyst, m.game, m.seeds, m.payoff = a, game, st.Total(), opts.Payoff
	}
	if err := m.analyst.Learn(learning); err != nil {
		return nil, err
	}
	s.Time = max(s.Time-time.Since(began), s.Time/4)
	return m.analyst.Analyse(ctx, st, s)
}
