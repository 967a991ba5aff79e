package shard

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

// Content is the part of a report from which the report of the whole run is made.
type Content struct {
	Texts   *Texts   `json:"texts"` // of the whole run
	Results []Result `json:"results"`
}

// Result is the result of an item of the shard.
type Result struct {
	Name        string          `json:"name"`
	Verdict     json.RawMessage `json:"verdict,omitempty"`
	Untold      string          `json:"untold,omitempty"` // why the verdict could not be encoded
	Fault       diag.List       `json:"fault,omitempty"`  // why there is no verdict, unless the file itself is faulty
	Said        diag.List       `json:"said,omitempty"`   // the diagnostics about the item
	Skipped     bool            `json:"skipped,omitempty"`
	Cached      bool            `json:"cached,omitempty"`
	Certificate string          `json:"certificate,omitempty"`
	Remark      string          `json:"remark,omitempty"`
	Lost        bool            `json:"lost,omitempty"` // the certificate could not be written
}

// ResultOf returns the result of an item, without the fields about certificates.
func ResultOf(i *suite.Item, said diag.List) Result {
	out := Result{Name: i.Name(), Said: said, Skipped: i.Skipped, Cached: i.Cached}
	if i.Err != nil && i.Instance != nil {
		out.Fault = diag.FromError(i.Err)
	}
	if i.Result != nil {
		text, err := cache.Tell(i.Result)
		if out.Verdict = text; err != nil {
			out.Untold = err.Error()
		}
	}
	return out
}

// Give sets the result of an item, which has none yet.
func (r Result) Give(i *suite.Item) (err error) {
	i.Skipped, i.Cached = r.Skipped, r.Cached
	switch {
	case r.Name != i.Name():
		return fmt.Errorf("it has %s in place of %s", r.Name, i.Name())
	case r.Certificate != "" && r.Verdict == nil:
		return fmt.Errorf("%s has a certificate but no verdict", r.Name)
	case r.Untold != "":
		return fmt.Errorf("the verdict on %s could not be encoded: %s", r.Name, r.Untold)
	case r.Fault != nil && i.Instance != nil:
		i.Err = r.Fault
	case r.Verdict != nil && i.Instance != nil:
		i.Result, err = cache.Told(i.Instance, r.Verdict)
	case i.Err == nil && !i.Skipped:
		return fmt.Errorf("it has no result for %s", r.Name)
	}
	return err
}

// mostContent is the greatest size of a report and of its content, in bytes.
const mostContent = 1 << 30

// Pack encodes a content as text.
func (c Content) Pack() string {
	text, err := json.Marshal(c)
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err == nil {
		_, err = z.Write(text)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		panic(err) // cannot happen for strings and lists, and writes to a buffer do not fail
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func unpack(packed string) (c Content, err error) {
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader([]byte(packed))))
	if err != nil {
		return c, err
	}
	text, err := io.ReadAll(io.LimitReader(z, mostContent+1))
	if err == nil && len(text) > mostContent {
		err = errors.New("it is too large")
	}
	if err == nil {
		err = strictjson.Unmarshal(text, &c)
	}
	if err == nil && c.Texts == nil {
		err = errors.New("it has no files")
	}
	return c, err
}
