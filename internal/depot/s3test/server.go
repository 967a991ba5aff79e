// Package s3test is a small object store in memory that speaks the protocol of S3, with failures
// that a test chooses. It knows what a depot asks for, and answers anything else with an error:
//
//   - to put an object if there is none of its name, at once or in parts;
//   - to get an object or a range of it, and its size;
//   - to list names by their beginnings, page by page;
//   - to remove an object.
//
// server.go is the store as tests see it, fault.go spoils answers, and answer.go gives them.
package s3test

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

// Server is a store. Fault is set while nobody uses it.
type Server struct {
	Fault func(*http.Request) Fault // what goes wrong; nil: nothing

	http    *httptest.Server
	mu      sync.Mutex
	objects map[string]object
	uploads map[string]*upload
	asked   map[string]int // by method
	number  int
}

type object struct {
	text     []byte
	metadata http.Header
}

// upload is an object of which some parts are there.
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

// URL is what opens the bucket, from a prefix on.
func (s *Server) URL(prefix string) string {
	q := url.Values{"endpoint": {s.http.URL}, "region": {"us-east-1"}, "use_path_style": {"true"}, "anonymous": {"true"}}
	return "s3://" + Bucket + "/" + prefix + "?" + q.Encode()
}

// Objects lists the names of the objects, and how many uploads in parts have not ended.
func (s *Server) Objects() (names []string, open int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.objects)), len(s.uploads)
}

// Asked returns how many requests there were, by their methods.
func (s *Server) Asked() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.Method]++
	s.mu.Unlock()
	if s.Fault != nil {
		if f := s.Fault(r); f != None {
			s.spoil(w, r, f)
			return
		}
	}
	s.answer(w, r)
}
