package cert

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/internal/strictjson"
)

// Evidence shows that a verdict is right. Each kind is a type.
type Evidence interface {
	// Kind is the name of its kind in certificates.
	Kind() string
	// check fails unless it shows what st says. What is checked is added to r. The error is a
	// *NeedsSolver if only a solver may show it.
	check(ctx context.Context, st *statement, r *Report) error
}

// kinds has one of each kind.
var kinds = []Evidence{
	&Backward{}, &Forward{}, &Product{}, &Winning{}, &Plan{}, &Falling{}, &Depths{}, &Play{}, &Conserved{}, &Grouped{}, &Moved{},
	&Ranked{}, &Finite{}, &Inductive{}, &Strategies{}, &Sizes{}, &SizesRank{}, &SizesMoves{}, &SizesSeeds{},
}

// Box holds evidence. In JSON it is an object with the kind, and the fields of its type.
type Box struct{ Is Evidence }

// MarshalJSON writes the kind and the fields.
func (b Box) MarshalJSON() ([]byte, error) {
	var fields bytes.Buffer
	enc := json.NewEncoder(&fields)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(b.Is); err != nil {
		return nil, err
	}
	kind := fmt.Sprintf(`{"kind":%q`, b.Is.Kind())
	rest := bytes.TrimPrefix(fields.Bytes(), []byte("{"))
	if rest[0] != '}' {
		kind += ","
	}
	return append([]byte(kind), rest...), nil
}

// UnmarshalJSON reads them strictly.
func (b *Box) UnmarshalJSON(data []byte) error {
	var of struct{ Kind string }
	if err := json.Unmarshal(data, &of); err != nil {
		return err
	}
	i := slices.IndexFunc(kinds, func(e Evidence) bool { return e.Kind() == of.Kind })
	if i < 0 {
		return fmt.Errorf("there is no kind of evidence %.40q", of.Kind)
	}
	b.Is = reflect.New(reflect.TypeOf(kinds[i]).Elem()).Interface().(Evidence)
	return strictjson.UnmarshalWith("kind", data, b.Is)
}

// Size returns the number of states in evidence.
func Size(e Evidence) int {
	if of, is := e.(interface{ size() int }); is {
		return of.size()
	}
	return 0
}

// asked is evidence that a solver can check. Of large sets there would be too many questions.
type asked interface {
	obligations(ctx context.Context, st *statement) ([]Obligation, error)
}

// Asks reports whether a solver can check evidence of this kind.
func Asks(e Evidence) bool {
	_, is := e.(asked)
	return is
}

// unfit returns the rejection of evidence of a kind that cannot show the statement.
func (st *statement) unfit(e Evidence) error {
	return reject("evidence of the kind `%s` shows nothing about such a claim", e.Kind())
}
