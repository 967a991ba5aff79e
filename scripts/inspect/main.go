// Command inspect looks at what scripts/release made, without starting any of it:
//
//	inspect -version 1.2.3 -without /home/me/mancheck bin/dist
//
// Checksums are right; archives and packages hold what they should; each program is for the system
// that its name says, knows its version and names no folder of the machine that built it; bills of
// materials name what is in the programs; the Homebrew cask has the checksums of the archives.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	version := flag.String("version", "", "the version of the release")
	var without folders
	flag.Var(&without, "without", "a folder that nothing may name; may be repeated")
	flag.Parse()
	r := &release{dir: flag.Arg(0), version: *version, without: without}
	if err := errors.Join(r.checksums(), r.programs(), r.playground(), r.cask()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("inspect: %d files are as they should be\n", len(r.sums))
}

// folders is a flag that may be repeated.
type folders []string

func (f *folders) String() string { return fmt.Sprint(*f) }

func (f *folders) Set(dir string) error {
	if dir == "" {
		return errors.New("no folder")
	}
	*f = append(*f, dir)
	return nil
}
