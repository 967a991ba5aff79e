package encode_test
import ("testing";"fmt";"github.com/mancheck/mancheck/smt/encode";"github.com/mancheck/mancheck/smt/term";"strings")
func str(t *term.Term) string {
	switch t.Op { case term.Const: return fmt.Sprint(t.Value); case term.Var: return t.Name }
	var a []string
	for _, x := range t.Args { a = append(a, str(x)) }
	ops := []string{"c","v","not","and","or","=","<=","<","+","*","ite"}
	if t.Op==term.Mul { return fmt.Sprint(t.Value,"*",a[0]) }
	return "("+ops[t.Op]+" "+strings.Join(a," ")+")"
}
func TestDump(t *testing.T) {
	sys := game(t, "dose2015.sow", nil)
	b, err := newBench(sys, encode.Options{})
	if err != nil { t.Fatal(err) }
	for _, c := range b.cases {
		w := str(c.When)
		{ if c.Action==12 { var to []string; for _, x := range append(c.To.Vars,c.To.Outcome) {to=append(to,str(x))}; fmt.Println(w, "   TO", to) } }
	}
}
