// Package webtest opens pages in a headless browser, for tests.
package webtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tierVar is the environment variable that asks for the tests of this tier, which take minutes.
const tierVar = "MANCHECK_BROWSER"

// InTier skips a test unless the tests in a browser are asked for.
func InTier(t *testing.T) {
	t.Helper()
	if os.Getenv(tierVar) == "" {
		t.Skip("scripts/browser-tests runs this test, with " + tierVar + "=1")
	}
}

// Browser opens a headless Chromium, or skips the test if there is none.
func Browser(t *testing.T) context.Context {
	t.Helper()
	InTier(t)
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	Do(t, ctx, chromedp.Navigate("about:blank")) // the context of the first action lives as long as the browser
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	return ctx
}

// Events gathers what a page should not do.
type Events struct {
	home     string // what the page may load
	mu       sync.Mutex
	requests []string
	errors   []string
}

func (e *Events) hear(ev any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if url := ev.Request.URL; !strings.HasPrefix(url, e.home) && !strings.HasPrefix(url, "blob:") && !strings.HasPrefix(url, "data:") {
			e.requests = append(e.requests, url)
		}
	case *runtime.EventExceptionThrown:
		e.errors = append(e.errors, ev.ExceptionDetails.Text)
	case *cdplog.EventEntryAdded:
		e.errors = append(e.errors, ev.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		e.errors = append(e.errors, "console: "+string(ev.Type))
	}
}

// File writes text as a page, and returns its address.
func File(t *testing.T, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// Open shows the page at an address. From a server it may load what that has; a file may load
// nothing but itself.
func Open(t *testing.T, ctx context.Context, address string) *Events {
	t.Helper()
	home, _, _ := strings.Cut(address, "#")
	heard := &Events{home: home[:strings.LastIndex(home, "/")+1]}
	if rest, is := strings.CutPrefix(home, "http://"); is {
		host, _, _ := strings.Cut(rest, "/")
		heard.home = "http://" + host + "/"
	}
	if err := chromedp.Listen(ctx, heard.hear); err != nil {
		t.Fatal(err)
	}
	Call(t, ctx, network.Enable, network.EnableParams{})
	Call(t, ctx, runtime.Enable, cdp.Empty{})
	Call(t, ctx, cdplog.Enable, cdp.Empty{})
	Do(t, ctx, chromedp.Navigate(address))
	return heard
}

// Errors returns the errors that the browser has told of.
func (e *Events) Errors() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.errors)
}

// Quiet fails the test if a page has done what it should not.
func (e *Events) Quiet(t *testing.T) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.requests)+len(e.errors) > 0 {
		t.Errorf("requests %v, errors %v", e.requests, e.errors)
	}
}

// Call calls a command of the browser.
func Call[P, R any](t *testing.T, ctx context.Context, cmd cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(ctx, cmd, params); err != nil {
		t.Fatal(err)
	}
}

// Do carries out actions.
func Do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// Eval returns the value of an expression in the page.
func Eval[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Wait waits until an expression in the page is true.
func Wait(t *testing.T, ctx context.Context, js string) {
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](js)); err != nil {
		t.Fatalf("%s: %v", js, err)
	}
}
