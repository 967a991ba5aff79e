package editors_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// kinds tells what a scope stands for: the longest prefix of it counts.
var kinds = map[string]string{
	"comment": comment, "string": text, "constant.numeric": number, "entity.name.label": label,
	"keyword": keyword, "constant.language": keyword, "keyword.other": word, "keyword.operator": sign, "keyword.operator.word": keyword,
	"entity": name, "variable": name, "support": name, "punctuation": sign,
}

// scoped is a token as the TextMate grammar finds it.
type scoped struct {
	From, To int
	Scope    string
}

func (s scoped) token() token {
	longest := ""
	for prefix := range kinds {
		if strings.HasPrefix(s.Scope, prefix+".") && len(prefix) > len(longest) {
			longest = prefix
		}
	}
	return token{s.From, s.To, kinds[longest]}
}

// oddNames are files that have words of the language for names.
var oddNames = []string{"../testdata/ok/relations.sow", "../../rules/build/testdata/old.sow"}

// TestTextMate: the grammar finds the tokens of the scanner, and tells words from names as the
// parser does.
func TestTextMate(t *testing.T) {
	inTier(t)
	files := rulesFiles(t)
	var found map[string][]scoped
	node(t, files, &found, "textmate/tokens.mjs")
	for path, src := range files {
		var got []token
		for _, s := range found[path] {
			got = append(got, s.token())
		}
		want := tokens(t, path, src)
		if slices.Contains(oddNames, path) {
			got, want = scanned(got), scanned(want)
		}
		compare(t, path, src, got, want)
	}
}

// TestTextMateWords: the grammar has the words of the language in its lists, and no others.
func TestTextMateWords(t *testing.T) {
	var got []string
	for _, list := range regexp.MustCompile(`\(\?:([a-z|]+)\)`).FindAllStringSubmatch(read(t, "textmate/sow.tmLanguage.json"), -1) {
		got = append(got, strings.Split(list[1], "|")...)
	}
	allWords(t, got)
}
