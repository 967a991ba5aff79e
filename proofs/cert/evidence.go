package cert

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/mancheck/mancheck/internal/strictjson"
)

// Evidence shows that a verdict is right. Each kind is a type, and has an entry in kinds.
type Evidence interface {
	// check fails unless it shows what st says. What is checked is added to r. The error is a
	// *NeedsSolver if only a solver may show it.
	check(ctx context.Context, st *statement, r *Report) error
}

// kinds has the names of the kinds in certificates.
var kinds = map[string]Evidence{
	"backward-closed":  &Backward{},
	"forward-closed":   &Forward{},
	"closed-product":   &Product{},
	"winning-states":   &Winning{},
	"winning-plan":     &Plan{},
	"falling-numbers":  &Falling{},
	"depths":           &Depths{},
	"play":             &Play{},
	"conserved-seeds":  &Conserved{},
	"seed-groups":      &Grouped{},
	"seed-moves":       &Moved{},
	"falling-rank":     &Ranked{},
	"finite-positions": &Finite{},
	"no-dead-end":      &NoDeadEnd{},
	"over-at-once":     &OverAtOnce{},
	"inductive":        &Inductive{},
	"strategies":       &Strategies{},
	"all-sizes":        &Sizes{},
	"all-sizes-rank":   &SizesRank{},
	"all-sizes-moves":  &SizesMoves{},
	"all-sizes-seeds":  &SizesSeeds{},
}

// Kind returns the name of the kind of evidence.
func Kind(e Evidence) string {
	for name, of := range kinds {
		if reflect.TypeOf(of) == reflect.TypeOf(e) {
			return name
		}
	}
	panic(fmt.Sprintf("cert: unknown %T", e))
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
	kind := fmt.Sprintf(`{"kind":%q`, Kind(b.Is))
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
	kind, known := kinds[of.Kind]
	if !known {
		return fmt.Errorf("there is no kind of evidence %.40q", of.Kind)
	}
	b.Is = reflect.New(reflect.TypeOf(kind).Elem()).Interface().(Evidence)
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
	return reject("evidence of the kind `%s` shows nothing about such a claim", Kind(e))
}
