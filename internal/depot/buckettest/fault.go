package buckettest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"
)

// Fault is a fault that is injected into a request.
type Fault int

const (
	// None injects no fault.
	None Fault = iota
	// Fails responds with an internal error, and does nothing.
	Fails
	// Resets closes the connection, and does nothing.
	Resets
	// Loses serves the request, and closes the connection instead of responding.
	Loses
	// Cuts serves the request, and closes the connection in the middle of the response.
	Cuts
	// Conflicts responds that there is a concurrent request for the object, and does nothing.
	Conflicts
	// Delays responds late.
	Delays
	// Full responds that the store is full, and does nothing.
	Full
)

// Passing lists the transient faults, after which a retry may succeed.
var Passing = []Fault{Fails, Resets, Loses, Cuts, Conflicts, Delays}

// spoil serves a request with a fault.
func (s *Server) spoil(w http.ResponseWriter, r *http.Request, f Fault) {
	switch f {
	case Fails, Conflicts, Full:
		// Or else the connection closes while the client sends, which may get no response.
		_, _ = io.Copy(io.Discard, r.Body)
	}
	switch f {
	case Fails:
		refuse(w, http.StatusInternalServerError, "InternalError")
	case Conflicts:
		refuse(w, http.StatusConflict, "ConditionalRequestConflict")
	case Full:
		refuse(w, http.StatusInsufficientStorage, "QuotaExceeded")
	case Resets:
		reset(w, nil)
	case Loses:
		s.answer(httptest.NewRecorder(), r)
		reset(w, nil)
	case Cuts:
		whole := httptest.NewRecorder()
		s.answer(whole, r)
		if r.Method == http.MethodHead {
			whole.Body.Reset() // as an HTTP server would
		}
		reset(w, whole)
	default:
		time.Sleep(20 * time.Millisecond)
		s.answer(w, r)
	}
}

// reset resets a connection, after half of the response if there is one.
func reset(w http.ResponseWriter, half *httptest.ResponseRecorder) {
	conn, to, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer func() { _ = conn.Close() }() // it is reset on purpose
	if half == nil {
		if c, is := conn.(*net.TCPConn); is {
			_ = c.SetLinger(0) // so that the client gets an error and not the end of the stream
		}
		return
	}
	// Whether all of this arrives does not matter.
	h := half.Header()
	if h.Get("Content-Length") == "" {
		h.Set("Content-Length", strconv.Itoa(half.Body.Len()))
	}
	_, _ = fmt.Fprintf(to, "HTTP/1.1 %d %s\r\n", half.Code, http.StatusText(half.Code))
	_ = h.Write(to)
	_, _ = to.WriteString("\r\n")
	_, _ = to.Write(half.Body.Bytes()[:half.Body.Len()/2])
	_ = to.Flush()
}
