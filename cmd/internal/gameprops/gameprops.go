// Package gameprops reads the game properties of StoneShark/MancalaGames (GameProps/*.txt) and
// writes the rules of a game as a rules file.
//
// game.sow.tmpl says what each parameter means in rules. What a file says beyond that is refused:
// rules that leave it out would be those of another game.
package gameprops

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/format"
	"github.com/mancheck/mancheck/internal/lists"
)

//go:embed game.sow.tmpl
var game string

//go:embed known.txt
var table string

// Rules writes the rules of the game that a file describes. The error names what they could
// not say.
//
// source is the name of the file, or empty.
func Rules(text []byte, source string) ([]byte, error) {
	var file struct {
		Class     string                     `json:"game_class"`
		Constants map[string]json.RawMessage `json:"game_constants"`
		Info      map[string]json.RawMessage `json:"game_info"`
		Rules     string                     `json:"rules"`
		Region    string                     `json:"region"`
	}
	// Texts for people follow the object.
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&file); err != nil || file.Info == nil {
		return nil, errors.New("these are no game properties: they begin with a JSON object that has game_class, game_constants and game_info")
	}
	maps.Copy(file.Info, file.Constants)
	g, err := parameters(file.Info)
	if err != nil {
		return nil, err
	}
	free, holes := g["udir_holes"].([]int), g["holes"].(int)
	if holes < 2 || g["nbr_start"].(int) < 1 {
		return nil, errors.New("a game has two or more holes in a row, and one or more seeds in each")
	}
	refused := lists.Filter([]string{file.Class}, func(class string) bool { return class != "Mancala" })
	refused = append(refused, g.refused()...)
	if len(refused) > 0 {
		return nil, errors.New("this game has what no rules are written for: " + strings.Join(refused, ", "))
	}
	name := source
	_ = json.Unmarshal(file.Info["name"], &name)
	name = strings.Join(words.FindAllString(name, -1), " ")
	about := []string{fmt.Sprintf("%s. Source: the game properties of MancalaGames, %q", strings.TrimSuffix(name+", "+file.Region, ", "), cmp.Or(source, name))}
	if file.Rules != "" {
		about[0] += ", after " + strings.TrimSuffix(strings.Join(strings.Fields(file.Rules), " "), ".")
	}
	about[0] += "."
	if g.is("rounds") {
		about = append(about, "One round: what follows it is left out.")
	}
	data := map[string]any{
		"About": about, "Name": name, "Ident": cmp.Or(ident(source), ident(name), "Game"),
		"Everywhere": len(free) == holes, "Middle": holes%2 == 1 && slices.Equal(free, []int{holes / 2}),
	}
	maps.Copy(data, g)
	var out bytes.Buffer
	if err := rules.Execute(&out, data); err != nil {
		return nil, err
	}
	root, mistakes := dsl.Parse("game.sow", out.Bytes())
	if err := mistakes.Err(); err != nil {
		return nil, fmt.Errorf("the rules would have a mistake: %w", err)
	}
	return format.Source(root)
}

var (
	letters = regexp.MustCompile(`[A-Za-z0-9]+`)
	words   = regexp.MustCompile(`[\pL\pN'-]+`)
)

// ident is the name of the variant of a game.
func ident(name string) string {
	words := lists.Map(letters.FindAllString(name, -1), func(w string) string { return strings.ToUpper(w[:1]) + w[1:] })
	return strings.TrimLeft(strings.Join(words, ""), "0123456789")
}

// params are the parameters of a game: a number, or a list of numbers. A truth value is 0 or 1.
type params map[string]any

func parameters(info map[string]json.RawMessage) (params, error) {
	g := params{"capt_on": []int(nil), "udir_holes": []int(nil), "holes": 0}
	for _, name := range regexp.MustCompile(`\.[a-z_]+`).FindAllString(game, -1) {
		if name = name[1:]; g[name] == nil {
			g[name] = 0
		}
	}
	zero := maps.Clone(g)
	for name, text := range info {
		var number int
		var truth bool
		var list []int
		switch {
		case name == "name" || name == "about" || name == "help_file":
		case json.Unmarshal(text, &number) == nil:
			g[name] = number
		case json.Unmarshal(text, &truth) == nil:
			g[name] = map[bool]int{true: 1}[truth]
		case json.Unmarshal(text, &list) == nil:
			g[name] = list
		default:
			return nil, fmt.Errorf("%s is neither a number, a truth value nor a list of numbers", name)
		}
		if old, is := zero[name]; is && reflect.TypeOf(old) != reflect.TypeOf(g[name]) {
			return nil, fmt.Errorf("%s cannot be %s", name, text)
		}
	}
	return g, nil
}

// is reports whether a game has a parameter, or has this value of it: NAME=VALUE.
func (g params) is(what string) bool {
	name, value, is := strings.Cut(what, "=")
	if is {
		return fmt.Sprint(g[name]) == value
	}
	list, several := g[name].([]int)
	return len(list) > 0 || !several && g[name] != nil && g[name] != 0
}

// refused are the parameters that the template has no rules for, by known.txt.
func (g params) refused() (list []string) {
	known := map[string][]string{} // the lines of known.txt, by their first words
	for line := range strings.Lines(table) {
		words := strings.Fields(line)
		known[words[0]] = append(known[words[0]], strings.Join(words[1:], " "))
	}
	refused := map[string]bool{}
	for name, value := range g {
		values := strings.Fields(strings.Join(known[name], " "))
		if g.is(name) && !slices.Contains(values, "*") && !slices.Contains(values, fmt.Sprint(value)) {
			list, refused[name] = append(list, fmt.Sprintf("%s=%v", name, value)), true
		}
	}
	for _, names := range known["-"] {
		if !slices.ContainsFunc(strings.Fields(names), func(n string) bool { return !g.is(n) || refused[n] }) {
			list = append(list, strings.ReplaceAll(names, " ", " with "))
		}
	}
	slices.Sort(list)
	return list
}

var rules = template.Must(template.New("game.sow").Funcs(template.FuncMap{
	"hasEnd": func(list []int, m int) bool { return slices.Contains(list, 0) || slices.Contains(list, m-1) },
	"in":     func(n int, of ...int) bool { return slices.Contains(of, n) },
	"list": func(list []int) string {
		return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(list)), ", "), "[]")
	},
	"max":   func(a, b int) int { return max(a, b) },
	"plus1": func(list []int) []int { return lists.Map(list, func(n int) int { return n + 1 }) },
}).Parse(game))
