package buckettest

import (
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// failure is the body of a response to a failed request.
type failure struct {
	XMLName xml.Name `xml:"Error"`
	Code    string
	Message string
}

// answer serves a request.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the body was cut off
	}
	name, in := strings.CutPrefix(r.URL.Path, "/"+Bucket)
	name, q := strings.TrimPrefix(name, "/"), r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !in:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case r.Header.Get("Content-Encoding") != "": // chunks with checksums
		refuse(w, http.StatusNotImplemented, "NotImplemented")
	case r.Method == http.MethodGet && name == "":
		s.list(w, q)
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		s.get(w, r, name)
	case r.Method == http.MethodDelete && q.Has("uploadId"):
		delete(s.uploads, q.Get("uploadId"))
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodDelete:
		delete(s.objects, name)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut && !q.Has("uploadId"):
		if s.put(w, r, name, object{body, metadata(r)}) {
			w.WriteHeader(http.StatusOK)
		}
	default:
		s.multipart(w, r, name, body)
	}
}

// put creates an object, or responds with an error.
func (s *Server) put(w http.ResponseWriter, r *http.Request, name string, o object) bool {
	if r.Header.Get("If-None-Match") != "*" {
		refuse(w, http.StatusNotImplemented, "NotImplemented") // unconditional writes are not supported
		return false
	}
	if _, is := s.objects[name]; is {
		refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
		return false
	}
	s.objects[name] = o
	return true
}

// multipart serves the requests of an upload in parts.
func (s *Server) multipart(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	q := r.URL.Query()
	if r.Method == http.MethodPost && q.Has("uploads") {
		s.number++
		id := strconv.Itoa(s.number)
		s.uploads[id] = &upload{metadata(r), map[int][]byte{}}
		write(w, struct {
			XMLName               xml.Name `xml:"InitiateMultipartUploadResult"`
			Bucket, Key, UploadId string
		}{Bucket: Bucket, Key: name, UploadId: id})
		return
	}
	u := s.uploads[q.Get("uploadId")]
	if u == nil {
		refuse(w, http.StatusNotFound, "NoSuchUpload")
		return
	}
	if r.Method == http.MethodPut {
		n, _ := strconv.Atoi(q.Get("partNumber"))
		u.parts[n] = body
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
		w.WriteHeader(http.StatusOK)
		return
	}
	var list struct{ Part []struct{ PartNumber int } }
	if err := xml.Unmarshal(body, &list); err != nil {
		refuse(w, http.StatusBadRequest, "MalformedXML")
		return
	}
	o := object{metadata: u.metadata}
	for _, p := range list.Part {
		o.text = append(o.text, u.parts[p.PartNumber]...)
	}
	if s.put(w, r, name, o) {
		delete(s.uploads, q.Get("uploadId"))
		write(w, struct {
			XMLName           xml.Name `xml:"CompleteMultipartUploadResult"`
			Bucket, Key, ETag string
		}{Bucket: Bucket, Key: name, ETag: `"0-1"`})
	}
}

// get responds with an object, or a range of it.
func (s *Server) get(w http.ResponseWriter, r *http.Request, name string) {
	o, is := s.objects[name]
	if !is {
		refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	maps.Copy(w.Header(), o.metadata)
	http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader(string(o.text)))
}

// list responds with a page of names.
func (s *Server) list(w http.ResponseWriter, q url.Values) {
	type content struct {
		Key          string
		LastModified string
		Size         int
	}
	var page struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		Name                  string
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
		Contents              []content
	}
	page.Name = Bucket
	most, err := strconv.Atoi(q.Get("max-keys"))
	if err != nil {
		most = 1000
	}
	for _, name := range slices.Sorted(maps.Keys(s.objects)) {
		if !strings.HasPrefix(name, q.Get("prefix")) || name <= q.Get("continuation-token") {
			continue
		}
		if n := len(page.Contents); n == min(most, 1000) {
			page.IsTruncated, page.NextContinuationToken = true, page.Contents[n-1].Key
			break
		}
		page.Contents = append(page.Contents, content{name, "2001-09-09T01:46:40Z", len(s.objects[name].text)})
	}
	write(w, page)
}

// metadata returns the metadata in a request.
func metadata(r *http.Request) http.Header {
	h := http.Header{}
	for k, v := range r.Header {
		if strings.HasPrefix(k, "X-Amz-Meta-") {
			h[k] = v
		}
	}
	return h
}

func write(w http.ResponseWriter, v any) {
	text, err := xml.Marshal(v)
	if err != nil {
		panic(err) // all responses can be encoded
	}
	w.Header().Set("Content-Type", "application/xml")
	_, _ = w.Write(text) // who asked may be gone
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	text, _ := xml.Marshal(failure{Code: code, Message: code})
	_, _ = w.Write(text) // who asked may be gone
}
