// Command yardsticks measures how the code is built, and fails if it gets worse than the limits in
// limits.txt beside it. It prints all figures, or with -q only those that are worse.
//
//	lines     of Go files without tests, of the packages of which mancheck and the playground
//	          consist; the files of all systems count. What only tests and scripts use is counted
//	          apart, and so is scripts/gallery, which draws pictures for the site.
//	methods   types with more than forty methods. Those of embedded types count: the method set
//	          of a pointer to the type, as go/types has it.
//	readers   files that tell statements of the kernel apart, by a switch over types or an
//	          assertion to one of them; the same for expressions
//	claims    packages that tell kinds of claims apart by a switch over their names
//	back      calls inside a package from a file to one above it, in the order of its files that
//	          has the fewest
//	texts     places in package proofs and below that look into an English text
//
// With -way it prints what one claim needs, which takes a build: the functions that are called when
// the thesis is checked, and the packages with at least five of them. With -lines it prints the
// lines of each package.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

func main() {
	quiet := flag.Bool("q", false, "print only what is worse than the limits")
	lines := flag.Bool("lines", false, "print the lines of each package")
	list := flag.Bool("list", false, "print the places that count")
	onTheWay := flag.Bool("way", false, "print what the check of the thesis calls")
	update := flag.Bool("update", false, "make the figures the limits")
	flag.Parse()
	var err error
	if *onTheWay {
		err = way()
	} else {
		err = run(*quiet, *lines, *list, *update)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "yardsticks:", err)
		os.Exit(1)
	}
}

// limits is the file with the greatest value that each figure may have.
const limits = "scripts/yardsticks/limits.txt"

// run measures the packages below the current folder and compares the figures with the limits. A
// figure without a limit must be 0.
func run(quiet, lines, list, update bool) error {
	packages, err := load()
	if err != nil {
		return err
	}
	if lines {
		for _, p := range packages {
			of := ""
			if !p.product {
				of = " (tests)"
			}
			fmt.Printf("%7d %s%s\n", p.lines, p.dir, of)
		}
	}
	figures := measure(packages)
	bounds, err := readLimits()
	if err != nil && !update {
		return err
	}
	if update {
		return writeLimits(figures, bounds)
	}
	worse := 0
	for _, f := range figures {
		bound, limited := bounds[f.name]
		bad := !f.free && (!limited && f.value > 0 || f.value > bound)
		if bad {
			worse++
			fmt.Printf("%s is %d, and was at most %d\n", f.name, f.value, bound)
		} else if !quiet {
			fmt.Printf("%7d %s\n", f.value, f.name)
		}
		if bad || list {
			for _, w := range f.where {
				fmt.Println("\t" + w)
			}
		}
	}
	if worse > 0 {
		return fmt.Errorf("%d figures are worse", worse)
	}
	return nil
}

// figure is one measurement.
type figure struct {
	name  string
	value int
	where []string // the places that count
	free  bool     // there is no limit
	fixed bool     // the limit is set by hand
}

func (f *figure) count(where string, is bool) {
	if is {
		f.value++
		f.where = append(f.where, where)
	}
}

func measure(packages []*folder) []figure {
	product := figure{name: "lines of the product", fixed: true}
	helpers := figure{name: "lines of the judge and test helpers", free: true}
	statements := figure{name: "files that read statements"}
	expressions := figure{name: "files that read expressions"}
	claims := figure{name: "packages with a switch over claims"}
	methods := figure{name: "types with more than forty methods"}
	texts := figure{name: "texts of verdicts looked into"}
	var back []figure
	for _, p := range packages {
		if !p.product {
			helpers.value += p.lines
			continue
		}
		product.value += p.lines
		for i, f := range p.files {
			at := p.dir + "/" + p.names[i]
			statements.count(at, p.reads(f, "isStmt"))
			expressions.count(at, p.reads(f, "isExpr"))
		}
		claims.count(p.dir, slices.ContainsFunc(p.files, overClaims))
		for _, t := range p.manyMethods(40) {
			methods.count(t, true)
		}
		if strings.HasPrefix(p.dir, "proofs") || strings.HasPrefix(p.dir, "cmd") {
			for _, at := range looksIntoTexts(p) {
				texts.count(at, true)
			}
		}
		if calls := p.backCalls(); calls.value > 0 {
			back = append(back, calls)
		}
	}
	return append([]figure{product, helpers, statements, expressions, claims, methods, texts}, back...)
}

func readLimits() (map[string]int, error) {
	f, err := os.Open(limits)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	bounds := map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		number, name, ok := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		n, err := strconv.Atoi(number)
		if !ok || err != nil {
			return nil, fmt.Errorf("%s: %q is not a number and a name", limits, lines.Text())
		}
		bounds[name] = n
	}
	return bounds, lines.Err()
}

// writeLimits makes the figures the limits, except limits that are set by hand.
func writeLimits(figures []figure, before map[string]int) error {
	var b strings.Builder
	for _, f := range figures {
		if f.free {
			continue
		}
		n := f.value
		if f.fixed {
			n = before[f.name]
		}
		fmt.Fprintf(&b, "%4d %s\n", n, f.name)
	}
	return os.WriteFile(limits, []byte(b.String()), 0o666)
}
