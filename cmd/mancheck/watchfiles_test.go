package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWatchedFiles: each way in which files change is told, and what is no rules file is not.
func TestWatchedFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.sow", "")
	write("boards.txt", "")
	f, err := watchFiles()
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	told := func(what string) {
		t.Helper()
		select {
		case <-f.Changed():
		case <-time.After(20 * time.Second):
			t.Fatalf("not told: %s", what)
		}
		if err := f.Follow([]string{dir, at("boards.txt"), at("waits/for.sow")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Follow([]string{dir, at("boards.txt")}); err != nil {
		t.Fatal(err)
	}
	write("a.sow", "// new")
	told("a file that was written")
	write("boards.txt", "1 2 3")
	told("a file that was named")
	write("b.sow.new", "")
	if err := os.Rename(at("b.sow.new"), at("b.sow")); err != nil {
		t.Fatal(err)
	}
	told("a file that was put in place")
	if err := os.Mkdir(at("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	told("a folder")
	write("sub/c.sow", "")
	told("a file in a new folder")
	if err := os.Remove(at("a.sow")); err != nil {
		t.Fatal(err)
	}
	told("a file that was removed")
	write("notes.txt", "")
	select {
	case <-f.Changed():
		t.Error("told of a file that nobody watches")
	case <-time.After(5 * allSaved):
	}
}
