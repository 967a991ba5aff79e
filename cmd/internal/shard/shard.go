// Package shard is about runs that several machines share. Each decides a part of the claims, a
// shard; its report as JSON has, besides what any report has, all that is needed to make the report
// of the whole run: the texts of the files, and what came of each item as data. So whoever puts the
// reports together needs none of the files.
//
//	shard.go   what a report says of its shard
//	texts.go   the files that a run has read, and how they are read again
//	content.go what came of the items
//	whole.go   reports, and whether they are the shards of one run
package shard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/mancheck/mancheck/proofs/suite"
)

// Header is what a report says of its shard.
type Header struct {
	suite.Part
	Build    Build    `json:"build"`
	Settings Settings `json:"settings"`
	Content  string   `json:"content"` // a packed Content
	Sum      string   `json:"sum"`     // of all of the others
}

// Build is the program that decides. Reports of several do not make one run.
type Build struct {
	Tool    string `json:"tool"`    // name and version
	Program string `json:"program"` // digest of the program file
	Solver  string `json:"solver"`  // name and version of the solver that it would ask
}

// Settings are the options of a run that all of its shards must have.
type Settings struct {
	Command      string   `json:"command"`
	Claims       []string `json:"claims"` // to be decided; none: all
	Params       []string `json:"params"`
	Long         bool     `json:"long"`
	Options      []string `json:"options"` // that verdicts may depend on, with their values
	Brief        bool     `json:"brief"`   // of the table
	Traces       bool     `json:"traces"`  // of the JSON, as the next
	Summary      bool     `json:"summary"`
	Certificates string   `json:"certificates"` // the folder for them
}

// Seal completes a header.
func (h Header) Seal() Header {
	h.Sum = h.sum()
	return h
}

// sum is a digest against accidents: anybody can make it.
func (h Header) sum() string {
	h.Sum = ""
	return digest(h)
}

// digest is the SHA-256 of data as JSON.
func digest(data any) string {
	text, err := json.Marshal(data)
	if err != nil {
		panic(err) // it consists of texts, numbers and lists
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
