package page

import "github.com/mancheck/mancheck/proofs/explain"

func HTML(doc *explain.Document) []byte { return nil }
