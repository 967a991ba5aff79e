package verdict

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/strictjson"
)

// Box holds a Finding, a Reason, a Note or a Gap, or none. In JSON it is an object whose one member
// is the name of the type, with its fields; or null.
type Box[T any] struct{ Is T }

// boxed are all types that a Box may hold, by name.
var boxed = byName(
	Fact(0), Figure{}, Quote{}, Mention{},
	Play{}, AllReachable{}, EverySize{}, AllSteps{}, SetFound{}, StrategyFails{}, Valued{}, Best{}, Forced{}, Prevented{}, Related{}, Differs{}, NoValue{},
	Ended{}, ManyPlays{}, Refused{}, SolverUnknown{}, MissingSolver{}, OneSolver{}, OpenEnd{}, BestUnknown{}, At{}, NoStartsLately{}, NotEverySize{},
	Asked{}, Compared{}, SmallerUnknown{}, EngineOpen{},
)

func byName(list ...any) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, x := range list {
		out[reflect.TypeOf(x).Name()] = reflect.TypeOf(x)
	}
	return out
}

// MarshalJSON writes the name of the type and the fields.
func (b Box[T]) MarshalJSON() ([]byte, error) {
	t := reflect.TypeOf(b.Is)
	if t == nil {
		return []byte("null"), nil
	}
	if boxed[t.Name()] != t {
		return nil, fmt.Errorf("internal error: a verdict holds a %s", t)
	}
	return json.Marshal(map[string]any{t.Name(): b.Is})
}

// UnmarshalJSON reads them strictly: the type has to be one that a T can be.
func (b *Box[T]) UnmarshalJSON(data []byte) error {
	var members map[string]json.RawMessage
	if err := strictjson.Unmarshal(data, &members); err != nil {
		return err
	}
	if members == nil {
		*b = Box[T]{}
		return nil
	}
	if len(members) != 1 {
		return fmt.Errorf("%d members in the place of one", len(members))
	}
	for name, fields := range members {
		t, known := boxed[name]
		if !known {
			return fmt.Errorf("no verdict holds a %q", name)
		}
		to := reflect.New(t)
		if err := strictjson.Unmarshal(fields, to.Interface()); err != nil {
			return err
		}
		is, ok := to.Elem().Interface().(T)
		if !ok {
			return fmt.Errorf("%q stands in the wrong place", name)
		}
		b.Is = is
	}
	return nil
}

// Boxes puts each element of a list into a Box.
func Boxes[T any](list []T) []Box[T] {
	return lists.Map(list, func(x T) Box[T] { return Box[T]{x} })
}

// Unbox takes them out. A box with nothing in it is an error.
func Unbox[T any](list []Box[T]) ([]T, error) {
	var out []T
	for _, b := range list {
		if any(b.Is) == nil {
			return nil, fmt.Errorf("nothing in the place of a note")
		}
		out = append(out, b.Is)
	}
	return out, nil
}
