// Package buckettest is a small object store in memory with the protocol of S3, for tests with
// fault injection. It supports the requests of a depot, and responds to others with an error:
//
//   - put an object if there is none of its name, at once or in parts;
//   - get an object, a range of it, or its size;
//   - list names with a prefix, page by page;
//   - remove an object.
//
// server.go is the interface for tests, answer.go serves requests, and fault.go injects faults.
package buckettest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
)

// Bucket is the name of the only bucket.
const Bucket = "games"

// Server is a store. Fault must be set while no client uses it.
type Server struct {
	Fault func(*http.Request) Fault // the fault to inject; nil: none. It is called by one goroutine at a time

	http    *httptest.Server
	mu      sync.Mutex
	objects map[string]object
	uploads map[string]*upload
	asked   map[string]int // number of requests, by method
	number  int
}

type object struct {
	text     []byte
	metadata http.Header
}

// upload is an unfinished upload in parts.
type upload struct {
	metadata http.Header
	parts    map[int][]byte
}

// New starts a store, which Close ends.
func New() *Server {
	s := &Server{objects: map[string]object{}, uploads: map[string]*upload{}, asked: map[string]int{}}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	return s
}

// Close ends the store.
func (s *Server) Close() { s.http.Close() }

// URL returns the URL of the bucket with a prefix.
func (s *Server) URL(prefix string) string {
	q := url.Values{"endpoint": {s.http.URL}, "region": {"us-east-1"}, "use_path_style": {"true"}, "anonymous": {"true"}}
	return "s3://" + Bucket + "/" + prefix + "?" + q.Encode()
}

// Objects returns the names of the objects, and the number of unfinished uploads.
func (s *Server) Objects() (names []string, open int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects)), len(s.uploads)
}

// Asked returns the number of requests, by method.
func (s *Server) Asked() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if f := s.fault(r); f != None {
		s.spoil(w, r, f)
		return
	}
	s.answer(w, r)
}

// fault counts a request, and returns the fault to inject into it.
func (s *Server) fault(r *http.Request) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.Method]++
	if s.Fault == nil {
		return None
	}
	return s.Fault(r)
}
