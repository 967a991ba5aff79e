// Package lsp is a language server: it speaks the Language Server Protocol 3.17 and answers by
// package editor. Notifications are carried out in the order in which they come. A request is
// answered from the texts as they were when it was read, beside others, so a slow one holds up
// nothing.
//
//	framing.go    messages on a stream
//	protocol.go   what messages consist of
//	lines.go      lines and columns
//	world.go      the texts that are open, and changes of them; URIs and paths
//	settings.go   what the client has set, and whether it trusts the workspace
//	texts.go      texts with what they import
//	server.go     what all parts share
//	dispatch.go   the life of a server, and requests; notifications.go notifications
//	publish.go    diagnostics
//	navigate.go   hover, definitions, references, symbols
//	write.go      completion, layout, repairs, other names
//	show.go       colours, hints, folds
//	verdicts.go   verdicts on claims, and whether they still stand
//	commands.go   what decides, traces and explains, and the lines above claims that offer it;
//	              progress.go how far it is
package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// The greatest sizes in bytes of a message and of its header.
const (
	maxMessage = 64 << 20
	maxHeader  = 16 << 10
)

// stream reads and writes messages with headers. A message that is no request or response is
// answered with an error, and the next one is read. What is written waits in a queue, so a client
// that does not read holds up only what is sent to it.
type stream struct {
	in   *bufio.Reader
	done func() // called once when the connection is closed

	mu     sync.Mutex
	filled *sync.Cond
	queue  [][]byte
	closed bool
	failed error
	idle   chan struct{} // closed when all is written after Close
}

func newStream(in io.Reader, out io.Writer, done func()) *stream {
	s := &stream{in: bufio.NewReader(in), done: done, idle: make(chan struct{})}
	s.filled = sync.NewCond(&s.mu)
	go s.write(out)
	return s
}

// write writes what is in the queue, until the stream is closed.
func (s *stream) write(out io.Writer) {
	defer close(s.idle)
	for {
		s.mu.Lock()
		for len(s.queue) == 0 && !s.closed {
			s.filled.Wait()
		}
		list := s.queue
		s.queue = nil
		s.mu.Unlock()
		if len(list) == 0 {
			return
		}
		for _, text := range list {
			if _, err := out.Write(text); err != nil {
				s.mu.Lock()
				s.failed = err
				s.mu.Unlock()
				return
			}
		}
	}
}

// WriteObject puts a message into the queue.
func (s *stream) WriteObject(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return io.ErrClosedPipe
	}
	if s.failed == nil {
		s.queue = append(s.queue, fmt.Appendf(nil, "Content-Length: %d\r\n\r\n%s", len(text), text))
		s.filled.Signal()
	}
	return s.failed
}

// ReadObject reads the next message that is well formed.
func (s *stream) ReadObject(v any) error {
	for {
		text, err := readMessage(s.in)
		if err != nil {
			return err
		}
		if fault := wellFormed(text); fault != nil {
			if err := s.WriteObject(fault); err != nil {
				return err
			}
			continue
		}
		return json.Unmarshal(text, v)
	}
}

// Close ends the stream, after what is in the queue.
func (s *stream) Close() error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	s.filled.Signal()
	s.mu.Unlock()
	if first {
		s.done()
	}
	return nil
}

var errHeader = errors.New("a message has no header with its length")

// readMessage reads one message: a header with its length, and its text.
func readMessage(in *bufio.Reader) ([]byte, error) {
	length, read := -1, 0
	for {
		line, err := readLine(in, maxHeader-read)
		if err != nil {
			return nil, err
		}
		read += len(line)
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		if strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxMessage {
				return nil, fmt.Errorf("a message cannot be %q long", strings.TrimSpace(value))
			}
		}
	}
	if length < 0 {
		return nil, errHeader
	}
	var text bytes.Buffer // which grows with what comes, not with what is promised
	if _, err := io.CopyN(&text, in, int64(length)); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return text.Bytes(), nil
}

// readLine reads a line of a header, which has no more than some bytes.
func readLine(in *bufio.Reader, most int) (string, error) {
	var line []byte
	for len(line) < most {
		c, err := in.ReadByte()
		if err != nil {
			if err == io.EOF && len(line) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
		if line = append(line, c); c == '\n' {
			return string(line), nil
		}
	}
	return "", errHeader
}

// fault is the answer to a message that is none.
type fault struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   jsonrpc2.Error  `json:"error"`
}

// wellFormed returns the answer to a message that is no request, notification or response.
func wellFormed(text []byte) *fault {
	f := &fault{"2.0", json.RawMessage("null"), jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest}}
	var m struct {
		ID, Params, Result, Error json.RawMessage
		Method                    *string
	}
	err := json.Unmarshal(text, &m)
	answers := m.Result != nil || m.Error != nil
	switch {
	case !json.Valid(text):
		f.Error = jsonrpc2.Error{Code: jsonrpc2.CodeParseError, Message: "the message is no JSON"}
	case err != nil || m.ID != nil && !validID(m.ID):
		f.Error.Message = "the message is no object, or its id or its method is of the wrong kind"
	case (m.Method == nil) != answers || m.Result != nil && m.Error != nil:
		f.Error.Message = "the message is neither a request nor a response"
	case m.Params != nil && !bytes.ContainsAny(m.Params[:1], "{[n"):
		f.Error.Message = "the parameters are no object"
	case answers && json.Unmarshal(text, &jsonrpc2.Response{}) != nil, !answers && json.Unmarshal(text, &jsonrpc2.Request{}) != nil:
		f.Error.Message = "the message cannot be read"
	default:
		return nil
	}
	if m.ID != nil && validID(m.ID) && !answers {
		f.ID = m.ID
	}
	return f
}

// validID reports whether an id can be told from others: a text, or a whole number that is not
// negative. It may be null.
func validID(id json.RawMessage) bool {
	var text string
	var number uint64
	return json.Unmarshal(id, &text) == nil || json.Unmarshal(id, &number) == nil
}
