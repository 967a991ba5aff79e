package s3test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"
)

// Fault is what goes wrong with a request.
type Fault int

const (
	// None lets a request do what it should.
	None Fault = iota
	// Fails answers that something is wrong with the store. Nothing is done.
	Fails
	// Resets ends the connection before anything is done.
	Resets
	// Loses does what was asked for, and then ends the connection instead of an answer.
	Loses
	// Cuts does what was asked for, and ends the connection in the middle of the answer.
	Cuts
	// Conflicts answers that another request about the same object is under way. Nothing is done.
	Conflicts
	// Delays answers late.
	Delays
	// Full answers that there is no more room. Nothing is done.
	Full
)

// Passing lists the faults that pass: a request that is made again may succeed.
var Passing = []Fault{Fails, Resets, Loses, Cuts, Conflicts, Delays}

// spoil answers a request with a fault.
func (s *Server) spoil(w http.ResponseWriter, r *http.Request, f Fault) {
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
			whole.Body.Reset() // a server of HTTP leaves it out
		}
		reset(w, whole)
	default:
		time.Sleep(20 * time.Millisecond)
		s.answer(w, r)
	}
}

// reset ends a connection, after half of an answer if there is one.
func reset(w http.ResponseWriter, half *httptest.ResponseRecorder) {
	conn, to, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer func() { _ = conn.Close() }() // it is broken on purpose
	if half == nil {
		if c, is := conn.(*net.TCPConn); is {
			_ = c.SetLinger(0) // so that the other side gets an error and no end
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
