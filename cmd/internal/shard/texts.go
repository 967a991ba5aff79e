package shard

import (
	"errors"
	"io/fs"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/suite"
)

// Texts are the rules files of a run, with all files that were opened to read them.
type Texts struct {
	Files []*File           `json:"files"`
	Texts map[string][]byte `json:"texts"` // by path
}

// File is a rules file.
type File struct {
	Path   string   `json:"path"`
	Named  bool     `json:"named"`
	Failed []Failed `json:"failed,omitempty"`
}

// Failed is a file that could not be opened for a rules file, and why.
type Failed struct {
	Path  string `json:"path"`
	Error string `json:"error"`
	Help  string `json:"help,omitempty"`
}

func (f *Failed) err() error {
	if f.Help == "" {
		return errors.New(f.Error)
	}
	return &input.OutsideError{Reason: f.Error, Advice: f.Help}
}

// NewTexts returns Texts for files that have not been read yet.
func NewTexts(found []input.Found) *Texts {
	t := &Texts{Files: []*File{}, Texts: map[string][]byte{}}
	t.Files = append(t.Files, lists.Map(found, func(f input.Found) *File { return &File{Path: f.Path, Named: f.Named} })...)
	return t
}

// Found lists the rules files.
func (t *Texts) Found() []input.Found {
	return lists.Map(t.Files, func(f *File) input.Found { return input.Found{Path: f.Path, Named: f.Named} })
}

// file returns the rules file at a path, or nil if there is none.
func (t *Texts) file(path string) *File {
	return lists.Find(t.Files, func(f *File) bool { return f.Path == path })
}

// Record wraps open so that it records what it opens for the rules file at root.
func (t *Texts) Record(root string, open input.Opener) input.Opener {
	file := t.file(root)
	return func(path string) ([]byte, error) {
		text, err := open(path)
		switch {
		case file == nil: // not one of the run
		case err == nil:
			t.Texts[path] = text
		default:
			failed := Failed{Path: path, Error: err.Error()}
			if outside, ok := errors.AsType[*input.OutsideError](err); ok {
				failed.Help = outside.Advice
			}
			file.Failed = append(file.Failed, failed)
		}
		return text, err
	}
}

// Replay returns an opener that replays what was recorded for the rules file at root.
func (t *Texts) Replay(root string, _ input.Opener) input.Opener {
	file := t.file(root)
	return func(path string) ([]byte, error) {
		if file != nil {
			for _, f := range file.Failed {
				if f.Path == path {
					return nil, f.err()
				}
			}
		}
		if text, is := t.Texts[path]; is {
			return text, nil
		}
		return nil, fs.ErrNotExist
	}
}

// Digest returns a digest of the files of a run and the items in them.
func (t *Texts) Digest(items []*suite.Item) string {
	type item struct {
		File, Name string
		Refuted    bool
	}
	run := struct {
		*Texts
		Items []item
	}{t, lists.Map(items, func(i *suite.Item) item {
		return item{i.File, i.Name(), i.Instance != nil && i.Instance.Claim.Refuted}
	})}
	return digest(run)
}
