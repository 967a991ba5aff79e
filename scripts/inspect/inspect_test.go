package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
)

func tarred(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: "./" + name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	z.Close()
	return b.Bytes()
}

// packed is a Debian package.
func packed(t *testing.T, control, data map[string]string) []byte {
	t.Helper()
	b := bytes.NewBufferString("!<arch>\n")
	for _, m := range []struct {
		name string
		text []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", tarred(t, control)}, {"data.tar.gz", tarred(t, data)}} {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n%s", m.name, 0, 0, 0, "100644", len(m.text), m.text)
		if len(m.text)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

func TestUnpack(t *testing.T) {
	files := map[string]string{"a": "one", "b/c": "two"}
	for name, data := range map[string][]byte{
		"x.zip":    zipped(t, files),
		"x.tar.gz": tarred(t, files),
		"x.deb":    packed(t, map[string]string{"a": "one"}, map[string]string{"b/c": "two"}),
	} {
		got, err := unpack(name, data)
		if err != nil || len(got) != 2 || string(got["a"]) != "one" || string(got["b/c"]) != "two" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if _, err := unpack(name, data[:len(data)/2]); err == nil {
			t.Errorf("half of %s was read", name)
		}
	}
	if _, err := unpack("x.rar", nil); err == nil {
		t.Error("an archive of no known kind was read")
	}
}

// TestChecksums: each file must be listed with its own checksum.
func TestChecksums(t *testing.T) {
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	for name, c := range map[string]struct{ list, want string }{
		"right":     {sum("text") + "  a.zip\n", ""},
		"wrong":     {sum("other") + "  a.zip\n", "a.zip: not the SHA-256"},
		"missing":   {"", "a.zip: not in checksums.txt"},
		"too many":  {sum("text") + "  a.zip\n" + sum("text") + "  b.zip\n", "b.zip"},
		"malformed": {sum("text") + " a.zip\n", "checksums.txt"},
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a.zip"), "text")
		write(t, filepath.Join(dir, "checksums.txt"), c.list)
		err := (&release{dir: dir}).checksums()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestArchive(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.zip"), string(zipped(t, map[string]string{"README.md": "built in /home/me/src", "empty": ""})))
	_, err := (&release{dir: dir, without: []string{"/home/me"}}).archive("a.zip", "README.md", "LICENSE")
	for _, want := range []string{"has no LICENSE", "empty is empty", "README.md names the folder /home/me"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	if _, err := (&release{dir: dir, without: []string{"/home/you"}}).archive("a.zip", "README.md"); err == nil || strings.Contains(err.Error(), "names") {
		t.Errorf("%v", err)
	}
}

// TestHeaded: a program is for the system that it was built for, and for no other.
func TestHeaded(t *testing.T) {
	tier.Long(t, "programs for other systems are built")
	src := filepath.Join(t.TempDir(), "main.go")
	write(t, src, "package main\n\nfunc main() {}\n")
	for _, s := range []system{{"linux", "arm64"}, {"windows", "amd64"}} {
		out := filepath.Join(t.TempDir(), "program")
		cmd := exec.Command("go", "build", "-o", out, src)
		cmd.Env = append(os.Environ(), "GOOS="+s.os, "GOARCH="+s.arch, "CGO_ENABLED=0", "GOFLAGS=")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		program, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range systems {
			if err := headed(program, other); (err == nil) != (other == s) {
				t.Errorf("a program for %v as one for %v: %v", s, other, err)
			}
		}
	}
}

// TestCask: a checksum that is not that of the archive is found, and an archive that is missing.
func TestCask(t *testing.T) {
	r := &release{dir: t.TempDir(), version: "1.2.3", sums: map[string]string{}}
	cask := "version \"1.2.3\"\n"
	for i, s := range systems[:4] {
		r.sums[fmt.Sprintf("mancheck_1.2.3_%s_%s.tar.gz", s.os, s.arch)] = fmt.Sprint(i)
		cask += fmt.Sprintf("url \"https://x/mancheck_#{version}_%s_%s.tar.gz\",\n sha256 \"%d\"\n", s.os, s.arch, i)
	}
	path := filepath.Join(r.dir, "homebrew/Casks/mancheck.rb")
	for text, ok := range map[string]bool{
		cask:                                   true,
		strings.Replace(cask, `"3"`, `"4"`, 1): false,
		strings.Replace(cask, "1.2.3", "1.2.4", 1):                 false,
		strings.Replace(cask, "_darwin_arm64", "_darwin_amd64", 1): false,
		strings.Replace(cask, "sha256 \"1\"\n", "", 1):             false,
		cask[:strings.LastIndex(cask, "url")]:                      false,
	} {
		write(t, path, text)
		if err := r.cask(); (err == nil) != ok {
			t.Errorf("%v for\n%s", err, text)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
