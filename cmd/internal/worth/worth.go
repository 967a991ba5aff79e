// Package worth writes values of games for people. A value is what a play is worth to the first
// player, so it says for whom it is.
package worth

import (
	"fmt"
	"math"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Scale says what values are of.
type Scale struct {
	Sys  *rules.System
	Kind value.Kind
}

// KindName is the name of a kind of payoff.
func KindName(k value.Kind) string {
	if k == value.Margin {
		return "margin"
	}
	return "result"
}

// Exact writes a value, as in `+4 (South by 4)`.
func (s Scale) Exact(v int) string { return fmt.Sprintf("%s (%s)", Number(v), s.Words(v)) }

// Number writes a value with its sign.
func Number(v int) string {
	if v == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", v)
}

// Signed writes a number with its sign and with digits behind the point. There is no minus zero.
func Signed(x float64, digits int) string {
	unit := math.Pow10(digits)
	return fmt.Sprintf("%+.*f", digits, math.Round(x*unit)/unit+0)
}

// About writes an estimate of a value of a game of two. It never looks like a value.
func (s Scale) About(score float64) string {
	if s.Kind != value.Margin {
		return "about " + Signed(score, 2)
	}
	switch text := fmt.Sprintf("%.1f", math.Abs(score)); {
	case text == "0.0":
		return "about even"
	case score > 0:
		return "about " + s.Sys.Players[value.First] + " by " + text
	default:
		return "about " + s.Sys.Players[value.Second] + " by " + text
	}
}

// Words says who is ahead, as in `South by 4`.
func (s Scale) Words(v int) string {
	player, amount := value.First, v
	if v < 0 {
		player, amount = value.Second, -v
	}
	alone := len(s.Sys.Players) < 2
	switch {
	case s.Kind == value.Margin && alone:
		return "score"
	case s.Kind == value.Margin && v == 0:
		return "even"
	case s.Kind == value.Margin:
		return fmt.Sprintf("%s by %d", s.Sys.Players[player], amount)
	case v == 0 && alone:
		return "neither won nor lost"
	case v == 0:
		return "draw"
	case !alone:
		return s.Sys.Players[player] + " wins"
	case v > 0:
		return "won"
	}
	return "lost"
}

// Bounds writes what is known of a value.
func (s Scale) Bounds(lo, hi int) string {
	switch {
	case lo == hi:
		return s.Exact(lo)
	case lo <= value.NoLower && hi >= value.NoUpper:
		return "unknown"
	}
	return Between(lo, hi, s.Exact)
}

// Between writes bounds of a value, of which one may be missing.
func Between(lo, hi int, number func(int) string) string {
	switch {
	case lo <= value.NoLower:
		return "at most " + number(hi)
	case hi >= value.NoUpper:
		return "at least " + number(lo)
	}
	return "from " + number(lo) + " to " + number(hi)
}

// Endless returns what plays without end are worth: what the rules say of positions that come back,
// or else what is asked for.
func Endless(sys *rules.System, asked value.Endless) value.Endless {
	if sys.Repetition == nil {
		return asked
	}
	switch build.EndlessUnder(sys) {
	case build.EndlessDraw:
		return value.Even
	case build.EndlessScored:
		return value.AsScored
	}
	return value.NoValue
}

// Usual is what a play is worth if nothing else is asked for.
func Usual(sys *rules.System) value.Payoff {
	return value.Payoff{Kind: value.KindOf(sys), Endless: Endless(sys, value.NoValue)}
}
