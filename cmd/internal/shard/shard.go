// Package shard divides a run among several machines. Each machine decides a part of the claims, a
// shard. In addition to what any report has, the JSON report of a shard has all that is needed to
// make the report of the whole run: the texts of the files, and the result of each item as data. So
// the reports can be merged without the files.
//
//	shard.go   the header of a report, which describes its shard, and the results of the items
//	texts.go   recording and replay of the files that a run reads
//	whole.go   reading reports, and checking that they are the shards of one run
package shard

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/strictjson"
	"github.com/mancheck/mancheck/proofs/cache"
	"github.com/mancheck/mancheck/proofs/suite"
)

// Header describes the shard that a report is about.
type Header struct {
	suite.Part
	Build    Build    `json:"build"`
	Settings Settings `json:"settings"`
	Content  string   `json:"content"` // a packed Content
	Sum      string   `json:"sum"`     // digest of all other fields
}

// Build identifies the program. Reports of different builds cannot be merged.
type Build struct {
	Tool    string `json:"tool"`    // name and version
	Program string `json:"program"` // digest of the program file
	Solver  string `json:"solver"`  // name and version of the solver that it uses
}

// Settings are the options of a run that all of its shards must have.
type Settings struct {
	Command      string   `json:"command"`
	Claims       []string `json:"claims"` // names of the claims to decide; none: all
	Params       []string `json:"params"`
	Long         bool     `json:"long"`
	Options      []string `json:"options"` // options that verdicts may depend on, with their values
	Brief        bool     `json:"brief"`   // of the table
	Traces       bool     `json:"traces"`  // of the JSON, like Summary
	Summary      bool     `json:"summary"`
	Certificates string   `json:"certificates"` // the folder for them
}

// Seal completes a header.
func (h Header) Seal() Header {
	h.Sum = h.sum()
	return h
}

// sum returns a digest of the header. It detects accidental damage, not forgery.
func (h Header) sum() string {
	h.Sum = ""
	return digest(h)
}

// digest returns the SHA-256 of data as JSON.
func digest(data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // cannot happen for strings, numbers and lists
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

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
