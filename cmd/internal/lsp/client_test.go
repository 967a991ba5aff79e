package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
)

// message is anything that the server may send.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// client is a client over pipes. It answers requests of the server with null.
type client struct {
	t       testing.TB
	to      io.WriteCloser
	status  chan int
	mu      sync.Mutex
	arrived *sync.Cond
	answers map[string][]message
	notes   []message
	gone    bool
	last    int
}

// deciding decides as a job says, with few states.
type deciding struct {
	before func(context.Context, Job) // may be nil
}

func (d deciding) Decide(ctx context.Context, job Job) ([]*suite.Item, error) {
	if d.before != nil {
		d.before(ctx, job)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f, diags := job.Reader.File(job.Path)
	if diags.Outside().HasErrors() {
		return nil, diags
	}
	items, _ := f.Items(job.Claims, nil)
	opt := suite.Options{Decide: proofs.Options{Bounds: limit.Bounds{MaxStates: 100_000, Threads: 1}}, Jobs: 1, Watch: job.Watch}
	return suite.Run(ctx, items, opt).Items, nil
}

func start(t testing.TB, d Decider) *client {
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &client{t: t, to: to, status: make(chan int, 1), answers: map[string][]message{}}
	c.arrived = sync.NewCond(&c.mu)
	go func() {
		c.status <- Serve(context.Background(), in, out, Options{Version: "test", Decider: d})
		out.Close()
	}()
	go c.read(bufio.NewReader(from))
	t.Cleanup(func() { to.Close() })
	return c
}

func (c *client) read(from *bufio.Reader) {
	for {
		text, err := readMessage(from)
		c.mu.Lock()
		if err != nil {
			c.gone = true
			c.arrived.Broadcast()
			c.mu.Unlock()
			return
		}
		var m message
		if err := json.Unmarshal(text, &m); err != nil {
			panic(err)
		}
		switch {
		case m.Method == "":
			c.answers[string(m.ID)] = append(c.answers[string(m.ID)], m)
		case m.ID != nil:
			go c.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": nil})
			c.notes = append(c.notes, m)
		default:
			c.notes = append(c.notes, m)
		}
		c.arrived.Broadcast()
		c.mu.Unlock()
	}
}

func (c *client) raw(text string) {
	_, _ = fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(text), text)
}

func (c *client) send(m map[string]any) {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	c.raw(string(text))
}

func (c *client) notify(method string, params any) {
	c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// begin sends a request.
func (c *client) begin(method string, params any) (id string) {
	c.mu.Lock()
	c.last++
	id = fmt.Sprint(c.last)
	c.mu.Unlock()
	m := map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method}
	if params != nil {
		m["params"] = params
	}
	c.send(m)
	return id
}

// await waits for the answer to a request.
func (c *client) await(id string) message {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.answers[id]) == 0 {
		if c.gone {
			c.t.Fatalf("the server has gone without an answer to %s", id)
		}
		c.arrived.Wait()
	}
	return c.answers[id][0]
}

func (c *client) ask(method string, params any) message {
	c.t.Helper()
	return c.await(c.begin(method, params))
}

// get asks, and reads the result, which must not be an error.
func get[T any](c *client, method string, params any) T {
	c.t.Helper()
	m := c.ask(method, params)
	if m.Error != nil {
		c.t.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	var out T
	if err := json.Unmarshal(m.Result, &out); err != nil {
		c.t.Fatalf("%s: %v: %s", method, err, m.Result)
	}
	return out
}

// initialize begins a session with a folder, which may be empty.
func (c *client) initialize(folder string, options, capabilities map[string]any) message {
	c.t.Helper()
	params := map[string]any{"processId": nil, "capabilities": capabilities, "initializationOptions": options, "rootUri": nil}
	if capabilities == nil {
		params["capabilities"] = map[string]any{}
	}
	if folder != "" {
		params["workspaceFolders"] = []map[string]string{{"uri": uriOf(folder), "name": "test"}}
	}
	m := c.ask("initialize", params)
	c.notify("initialized", map[string]any{})
	return m
}

func (c *client) open(uri, text string) {
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "sow", "version": 1, "text": text}})
}

// change replaces all of a document.
func (c *client) change(uri string, version int, text string) {
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": version}, "contentChanges": []map[string]any{{"text": text}},
	})
}

// published waits for the diagnostics of a version of a document.
func (c *client) published(uri string, version int32) []diagnostic {
	c.t.Helper()
	return c.awaited(uri, version, func([]diagnostic) bool { return true })
}

// awaited waits for diagnostics of a version of a document that are as expected.
func (c *client) awaited(uri string, version int32, expected func([]diagnostic) bool) []diagnostic {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for _, m := range c.notes {
			var p publishParams
			if m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil && p.URI == uri && p.Version != nil && *p.Version == version && expected(p.Diagnostics) {
				return p.Diagnostics
			}
		}
		if c.gone {
			c.t.Fatal("the server has gone")
		}
		c.arrived.Wait()
	}
}

// forget forgets the notifications so far.
func (c *client) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notes = nil
}

// quit ends the session, and gives the exit status.
func (c *client) quit() int {
	c.t.Helper()
	c.ask("shutdown", nil)
	c.notify("exit", nil)
	return <-c.status
}

// at is the position of the mark `^` in a text, and the text without it.
func at(marked string) (text string, p Position) {
	before, after, found := strings.Cut(marked, "^")
	if !found {
		panic("no mark in " + marked)
	}
	text = before + after
	return text, newLines(text, false).position(len(before))
}

// find is the position of a part of a text, at the mark in it.
func find(t testing.TB, text, marked string) Position {
	t.Helper()
	before, after, _ := strings.Cut(marked, "^")
	i := strings.Index(text, before+after)
	if i < 0 {
		t.Fatalf("there is no %q", marked)
	}
	return newLines(text, false).position(i + len(before))
}

func place(uri string, p Position) map[string]any {
	return map[string]any{"textDocument": map[string]string{"uri": uri}, "position": p}
}
