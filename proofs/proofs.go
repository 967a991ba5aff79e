// Package proofs decides claims. This is the way of a verdict, with the package of each part:
//
//	load.go         rules files to the instances of their claims
//	decide.go       a claim's instance to its verdict, by what follows
//	claim           the kinds of claims, one file each: what decides them, and what confirms them
//	engines         runs of engines, for any claim: their order, limits, results and plays
//	result          a verdict (package verdict) with its evidence
//	confirm         the check of the evidence, without which there is no verdict: replay,
//	                certificates (cert) and a second opinion (internal/enumerate)
//	say             sentences about verdicts
//	suite, cache, explain  many claims, kept verdicts, documents
//
// closed.go lays out closed sets for those that show them. The folder also contains proof files
// (*.sow): documents about sowing games, claim by claim.
package proofs

import (
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// What Decide takes and returns.
type (
	Options       = engines.Options
	Common        = engines.Common
	Progress      = engines.Progress
	Result        = result.Result
	SetDiff       = result.SetDiff
	RejectedError = confirm.RejectedError
	Engine        = verdict.Engine
	Status        = verdict.Status
	Checked       = verdict.Checked
)

// Values of engines, statuses and checks, which package verdict describes. Auto leaves the choice
// of the engine to the tool.
const (
	Auto        = verdict.Auto
	Forward     = verdict.Forward
	Backward    = verdict.Backward
	BMC         = verdict.BMC
	Induction   = verdict.Induction
	SMT         = verdict.SMT
	Laws        = verdict.Laws
	Hunt        = verdict.Hunt
	Abstraction = verdict.Abstraction
	Cases       = verdict.Cases

	Unknown = verdict.Unknown
	Proved  = verdict.Proved
	Refuted = verdict.Refuted
	Bounded = verdict.Bounded

	NotYet        = verdict.NotYet
	Unchecked     = verdict.Unchecked
	ByCertificate = verdict.ByCertificate
	ByReplay      = verdict.ByReplay
	ByEnumeration = verdict.ByEnumeration
)
