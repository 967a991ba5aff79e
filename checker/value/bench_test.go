package value

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/rules/rulestest"
)

func TestTry(t *testing.T) {
	k := strings.Split(os.Getenv("KALAH"), ",")
	if len(k) < 3 {
		t.Skip()
	}
	m, _ := strconv.Atoi(k[0])
	n, _ := strconv.Atoi(k[1])
	sys := rulestest.Kalah(m, n, k[2] == "B")
	f, err := Find(context.Background(), sys, rulestest.KalahStart(sys, n), Payoff{Kind: Margin}, Options{Observer: func(p Progress) { fmt.Println(p) }})
	fmt.Println(f, err)
	fmt.Println(f.Line)
}
