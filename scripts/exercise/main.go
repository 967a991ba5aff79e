// Command exercise makes exercises of rules files, and grades what students hand in.
//
//	exercise make -o hole.sow teacher/hole.sow   what students get
//	exercise hint hole.sow 1                     the first hint of it
//	exercise grade teacher/hole.sow handed-in    a table of all that was handed in
//
// A teacher's file has what students get, then a line `// Secret:` and what they do not: claims,
// and whatever these need. Hints are comments behind it, `// Hint: …`, each on a line.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "exercise:", err)
		os.Exit(2)
	}
}

var errUsage = errors.New("usage: exercise make [-o FILE] TEACHER.sow | hint FILE N | grade [-each 10s] TEACHER.sow FILE|FOLDER")

func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	out := flags.String("o", "", "file for students; standard output if there is none")
	each := flags.Duration("each", 10*time.Second, "longest time for a claim")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	rest := flags.Args()
	switch {
	case args[0] == "make" && len(rest) == 1:
		return hand(rest[0], *out)
	case args[0] == "hint" && len(rest) == 2:
		return hint(rest[0], rest[1])
	case args[0] == "grade" && len(rest) > 1:
		return grade(rest[0], rest[1:], *each)
	}
	return errUsage
}

// hand writes the file for students. It replaces none.
func hand(teacher, to string) error {
	e, err := read(teacher)
	if err != nil {
		return err
	}
	if to == "" {
		_, err = os.Stdout.Write(e.handout())
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(e.handout())
	return errors.Join(err, f.Close())
}

// hint prints a hint of a file for students.
func hint(path, number string) error {
	n, err := strconv.Atoi(number)
	if err != nil {
		return errUsage
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	list := hints(text)
	if n < 1 || n > len(list) {
		return fmt.Errorf("there are %d hints", len(list))
	}
	fmt.Println(list[n-1])
	return nil
}

// grade writes a line of CSV for each file: its name, what came of each claim, and how many are as
// they should be.
func grade(teacher string, paths []string, each time.Duration) error {
	e, err := read(teacher)
	if err != nil {
		return err
	}
	var files []string
	for _, path := range paths {
		in, err := filepath.Glob(filepath.Join(path, "*.sow"))
		if err != nil {
			return err
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			in = []string{path}
		}
		files = append(files, in...)
	}
	w := csv.NewWriter(os.Stdout)
	_ = w.Write(append(append([]string{"file"}, e.claims...), "points", "remark"))
	for _, path := range files {
		g, err := e.grade(context.Background(), path, each)
		if err != nil {
			return err
		}
		row := []string{path}
		for _, mark := range g.marks {
			row = append(row, mark.String())
		}
		_ = w.Write(append(row, fmt.Sprintf("%d/%d", g.points(), len(e.claims)), g.remark))
		w.Flush()
	}
	return w.Error()
}
