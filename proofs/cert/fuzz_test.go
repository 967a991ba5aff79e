package cert_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mancheck/mancheck/proofs/cert"
)

// Whatever the bytes are, reading and checking them ends with a verdict and not with a panic.
func FuzzRead(f *testing.F) {
	for _, c := range []*cert.Certificate{dose(f, 5), kalah(f, 2, 2)} {
		var file bytes.Buffer
		if err := cert.Write(&file, c); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes())
	}
	f.Add([]byte("{}"))
	f.Add([]byte("\x28\xb5\x2f\xfd\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := cert.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_, err = cert.Check(ctx, c)
		if errors.Is(err, context.DeadlineExceeded) {
			t.Skip("too much work")
		}
	})
}
