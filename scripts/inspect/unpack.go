package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"strconv"
	"strings"
)

// unpack returns the files of an archive by their names. What kind it is, its own name says.
func unpack(name string, data []byte) (map[string][]byte, error) {
	switch {
	case strings.HasSuffix(name, ".zip"):
		return unzip(data)
	case strings.HasSuffix(name, ".tar.gz"):
		return untar(data)
	case strings.HasSuffix(name, ".deb"):
		return undeb(data)
	}
	return nil, fmt.Errorf("%s: an archive of no kind that is known", name)
}

func unzip(data []byte) (map[string][]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func untar(data []byte) (map[string][]byte, error) {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for t := tar.NewReader(plain); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag == tar.TypeReg {
			if files[path.Clean(h.Name)], err = io.ReadAll(t); err != nil {
				return nil, err
			}
		}
	}
}

// undeb returns the files that a Debian package installs, and its control file as "control".
func undeb(data []byte) (map[string][]byte, error) {
	const magic, header = "!<arch>\n", 60
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("no ar archive")
	}
	files := map[string][]byte{}
	for len(rest) >= header {
		name := strings.TrimRight(string(rest[:16]), " /")
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 || size > len(rest)-header {
			return nil, fmt.Errorf("%s: a wrong size", name)
		}
		member := rest[header : header+size]
		rest = rest[min(header+size+size%2, len(rest)):]
		if !strings.HasSuffix(name, ".tar.gz") {
			continue
		}
		inside, err := untar(member)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		maps.Copy(files, inside)
	}
	return files, nil
}
