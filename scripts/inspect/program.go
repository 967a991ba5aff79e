package main

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// documents are the files beside a program.
var documents = []string{
	"README.md", "LICENSE", "CHANGELOG.md", "LICENSES-third-party.txt",
	"completions/mancheck.bash", "completions/_mancheck", "completions/mancheck.fish", "man/mancheck.1",
}

// programs checks the archives and packages of all systems.
func (r *release) programs() error {
	var errs []error
	for _, s := range systems {
		errs = append(errs, r.program(s))
	}
	return errors.Join(errs...)
}

// program checks the archive for a system, the bill of materials, and the Debian package if the
// system has one.
func (r *release) program(s system) error {
	base := fmt.Sprintf("mancheck_%s_%s_%s", r.version, s.os, s.arch)
	archive, name := base+".tar.gz", "mancheck"
	if s.os == "windows" {
		archive, name = base+".zip", "mancheck.exe"
	}
	files, err := r.archive(archive, append(documents, name)...)
	if err != nil {
		return err
	}
	program := files[name]
	if err := errors.Join(headed(program, s), r.versioned(program), r.billed(base+".cdx.json", program)); err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	if s.os == "linux" {
		return r.debian(s, files)
	}
	return nil
}

// headed checks that a program is for the system, by its header and by what the Go linker wrote.
func headed(program []byte, s system) error {
	r := bytes.NewReader(program)
	var machine any
	switch s.os {
	case "linux":
		f, err := elf.NewFile(r)
		if err != nil {
			return err
		}
		if libs, err := f.ImportedLibraries(); err != nil || len(libs) > 0 {
			return fmt.Errorf("it needs the libraries %v (%v)", libs, err)
		}
		machine = f.Machine
	case "darwin":
		f, err := macho.NewFile(r)
		if err != nil {
			return err
		}
		machine = f.Cpu
	case "windows":
		f, err := pe.NewFile(r)
		if err != nil {
			return err
		}
		machine = f.Machine
	}
	wanted := map[system]any{
		{"linux", "amd64"}:   elf.EM_X86_64,
		{"linux", "arm64"}:   elf.EM_AARCH64,
		{"darwin", "amd64"}:  macho.CpuAmd64,
		{"darwin", "arm64"}:  macho.CpuArm64,
		{"windows", "amd64"}: uint16(pe.IMAGE_FILE_MACHINE_AMD64),
		{"windows", "arm64"}: uint16(pe.IMAGE_FILE_MACHINE_ARM64),
	}[s]
	if machine != wanted {
		return fmt.Errorf("its machine is %v, and not %v", machine, wanted)
	}
	info, err := buildinfo.Read(r)
	if err != nil {
		return err
	}
	for _, set := range info.Settings {
		if set.Key == "GOOS" && set.Value != s.os || set.Key == "GOARCH" && set.Value != s.arch || set.Key == "CGO_ENABLED" && set.Value != "0" {
			return fmt.Errorf("it was built with %s=%s", set.Key, set.Value)
		}
	}
	return nil
}

// versioned checks that a program has its version inside.
func (r *release) versioned(program []byte) error {
	if !bytes.Contains(program, []byte("v"+r.version)) {
		return fmt.Errorf("the version v%s is not in it", r.version)
	}
	return nil
}

// traceless checks that a file names none of the folders.
func (r *release) traceless(name string, text []byte) error {
	for _, dir := range r.without {
		if bytes.Contains(text, []byte(dir)) {
			return fmt.Errorf("%s names the folder %s", name, dir)
		}
	}
	return nil
}

// billed checks that the bill of materials has each module that the program was built from.
func (r *release) billed(name string, program []byte) error {
	data, err := r.read(name)
	if err != nil {
		return err
	}
	var bill struct {
		BOMFormat  string
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal(data, &bill); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	listed := map[string]bool{}
	for _, c := range bill.Components {
		listed[c.Name+" "+c.Version] = true
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return err
	}
	if bill.BOMFormat != "CycloneDX" || len(info.Deps) == 0 {
		return fmt.Errorf("%s is no bill of materials of the program", name)
	}
	for _, m := range info.Deps {
		if !listed[m.Path+" "+m.Version] {
			return fmt.Errorf("%s does not have %s %s", name, m.Path, m.Version)
		}
	}
	return r.traceless(name, data)
}

// installed is where a Debian package has the files of an archive, but for the man pages.
var installed = map[string]string{
	"mancheck":                  "usr/bin/mancheck",
	"completions/mancheck.bash": "usr/share/bash-completion/completions/mancheck",
	"completions/_mancheck":     "usr/share/zsh/vendor-completions/_mancheck",
	"completions/mancheck.fish": "usr/share/fish/vendor_completions.d/mancheck.fish",
	"LICENSE":                   "usr/share/doc/mancheck/copyright",
	"LICENSES-third-party.txt":  "usr/share/doc/mancheck/LICENSES-third-party.txt",
}

// debian checks that the package for a system has what the archive has.
func (r *release) debian(s system, archive map[string][]byte) error {
	name := fmt.Sprintf("mancheck_%s_%s.deb", strings.Replace(r.version, "-", "~", 1), s.arch)
	files, err := r.archive(name, append(slices.Sorted(maps.Values(installed)), "usr/share/doc/mancheck/changelog.gz", "control")...)
	if err != nil {
		return err
	}
	for from, to := range installed {
		if !bytes.Equal(archive[from], files[to]) {
			return fmt.Errorf("%s: %s is not the %s of the archive", name, to, from)
		}
	}
	if !strings.Contains(string(files["control"]), "\nArchitecture: "+s.arch+"\n") {
		return fmt.Errorf("%s is not for %s", name, s.arch)
	}
	for page := range archive {
		section := strings.TrimPrefix(path.Ext(page), ".")
		if path.Dir(page) == "man" && files["usr/share/man/man"+section+"/"+path.Base(page)+".gz"] == nil {
			return fmt.Errorf("%s has no %s", name, page)
		}
	}
	return nil
}
