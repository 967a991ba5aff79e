// Package shard divides a run among several machines. Each machine decides a part of the claims, a
// shard. In addition to what any report has, the JSON report of a shard has all that is needed to
// make the report of the whole run: the texts of the files, and the result of each item as data. So
// the reports can be merged without the files.
//
//	shard.go   the header of a report, which describes its shard
//	texts.go   recording and replay of the files that a run reads
//	content.go the results of the items
//	whole.go   reading reports, and checking that they are the shards of one run
package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

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
