//go:build js && wasm

// Command playground is the tool for a browser. It runs in a worker, which hands it questions:
//
//	mancheck.ask(question, told, answered)  told gets what is known before the answer
//	mancheck.interrupt()                    ends what is being answered, where it looks
//
// Questions and answers are JSON. Package desk describes them.
package main

import (
	"context"
	"encoding/json"
	"runtime/debug"
	"syscall/js"

	"github.com/mancheck/mancheck/cmd/playground/internal/desk"
	"github.com/mancheck/mancheck/internal/limit"
)

// version is set by the linker.
var version = "development"

// heap is the size in bytes from which on memory is collected more often than is fast: a page
// should not take much more than what is live.
const heap = 512 << 20

func main() {
	limit.CollectSeldom(limit.Freely)
	debug.SetMemoryLimit(heap)
	g := &glue{desk: desk.New(desk.DefaultLimits), stop: func() {}}
	g.desk.Version = version
	js.Global().Set("mancheck", map[string]any{"ask": js.FuncOf(g.ask), "interrupt": js.FuncOf(g.interrupt)})
	js.Global().Call("ready")
	select {}
}

// glue joins the desk to the worker. The worker asks one question at a time.
type glue struct {
	desk *desk.Desk
	stop context.CancelFunc
}

func (g *glue) ask(_ js.Value, args []js.Value) any {
	question, told := []byte(args[0].String()), args[1]
	tell := func(part any) {
		if text, err := json.Marshal(part); err == nil {
			told.Invoke(string(text))
		}
	}
	answered := args[2]
	var ctx context.Context
	ctx, g.stop = context.WithCancel(context.Background())
	go func() {
		answered.Invoke(string(g.desk.Answer(ctx, question, tell)))
	}()
	return nil
}

func (g *glue) interrupt(js.Value, []js.Value) any {
	g.stop()
	return nil
}
