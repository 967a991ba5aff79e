package term

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/plain"
)

// Progress is one line at the foot of the terminal that is written over. Elsewhere it writes
// nothing, nor where the results go into a pipe: whoever reads that may write to the same terminal.
// Its methods may be called by several goroutines.
type Progress struct {
	mu       sync.Mutex
	w        io.Writer
	terminal *os.File // nil if there is none, or the line was cleared for good
	shown    bool
	last     time.Time
}

// pause is the shortest time between two updates.
const pause = 100 * time.Millisecond

// NewProgress makes the line on w for a program whose results go to out.
func NewProgress(w, out io.Writer) *Progress {
	p := &Progress{w: w}
	if f, ok := w.(*os.File); ok && IsTerminal(w) && !isPipe(out) && os.Getenv("TERM") != "dumb" {
		p.terminal = f
	}
	return p
}

// Width returns how many columns the line may have; 0 if there is none. The size of a terminal may
// change at any time.
func (p *Progress) Width() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.columns()
}

func (p *Progress) columns() int {
	if p.terminal == nil {
		return 0
	}
	width, _, err := term.GetSize(int(p.terminal.Fd()))
	if err != nil {
		return 0
	}
	return max(0, width-1)
}

func isPipe(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0
}

// Active reports whether anybody sees the line.
func (p *Progress) Active() bool { return p.Width() > 0 }

// Show replaces the line, unless it was replaced just now.
func (p *Progress) Show(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.last) < pause {
		return
	}
	width := p.columns()
	if width == 0 {
		return
	}
	p.last, p.shown = time.Now(), true
	fmt.Fprint(p.w, "\r\x1b[K"+Cut(width, plain.Line(text)))
}

// Observer returns a function that shows the progress of a search in words, or nil if nobody sees
// them.
func (p *Progress) Observer(words func(limit.Progress) string) func(limit.Progress) {
	if !p.Active() {
		return nil
	}
	return func(now limit.Progress) { p.Show(words(now)) }
}

// Clock shows the text with the seconds that have gone by, until the function that it gives is
// called.
func (p *Progress) Clock(text string) (done func()) {
	if !p.Active() {
		return func() {}
	}
	began, over := time.Now(), make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		for tick := time.Tick(2 * pause); ; {
			p.Show(fmt.Sprintf("%s, %.0f s", text, time.Since(began).Seconds()))
			select {
			case <-over:
				return
			case <-tick:
			}
		}
	})
	return func() {
		close(over)
		ended.Wait()
		p.Clear()
	}
}

// Stop clears the line for good.
func (p *Progress) Stop() {
	p.Clear()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.terminal = nil
}

// Clear removes the line, so that something else can be written.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
