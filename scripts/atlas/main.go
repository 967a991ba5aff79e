// Command atlas finds out what is known of each game under examples, and writes it down: claims in
// docs/atlas/claims, which anybody can decide again, and facts in docs/atlas/facts.csv.
//
//	go run -tags z3 ./scripts/atlas          finds out what is not known yet
//	go run -tags z3 ./scripts/atlas -pages DIR
//
// The first keeps what it has after each game, and goes on from there. What is known of rules that
// have changed is found out again. The second writes the pages of the site and atlas.json.
//
//	games.go  the games, their rule sets and boards
//	ask.go    the claims about a game
//	facts.go  what was found, and the file of it
//	pages.go  the pages of the site
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
)

func main() {
	log.SetFlags(0)
	pages := flag.String("pages", "", "write the pages of the site into this `folder`")
	again := flag.Bool("again", false, "ask again about games of which something is open")
	certify := flag.Bool("certify", false, "decide again what is known, and keep the hashes of the certificates")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := error(nil)
	switch {
	case *pages != "":
		err = writePages(".", *pages)
	case *certify:
		err = recertify(ctx)
	default:
		err = find(ctx, *again)
	}
	if err != nil {
		log.Fatal(err)
	}
}
