package term

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/mancheck/mancheck/internal/plain"
)

// Progress is one line at the foot of the terminal that is written over. Elsewhere it writes nothing. Its methods may be called by
// several goroutines.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	width int // of the terminal; 0 if there is none
	shown bool
	last  time.Time
}

// pause is the shortest time between two updates.
const pause = 100 * time.Millisecond

// NewProgress makes the line on w.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{w: w}
	if f, ok := w.(*os.File); ok && IsTerminal(w) && os.Getenv("TERM") != "dumb" {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			p.width = width
		}
	}
	return p
}

// Active reports whether anybody sees the line.
func (p *Progress) Active() bool { return p.width > 1 }

// Show replaces the line, unless it was replaced just now.
func (p *Progress) Show(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.Active() || time.Since(p.last) < pause {
		return
	}
	p.last, p.shown = time.Now(), true
	text = plain.Line(text)
	if runes := []rune(text); len(runes) >= p.width {
		text = string(runes[:p.width-1])
	}
	fmt.Fprint(p.w, "\r\x1b[K"+text)
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
