//go:build cloud

package depot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"
)

const (
	// tries is how many times a request is made before it has failed. Drivers make it again, too,
	// but neither often enough, nor when it fails in the middle of a body.
	tries = 6
	// patience is the time that a request may take, besides that for its bytes.
	patience = time.Minute
	// slowest is the number of bytes per second of a store that is not taken for one that hangs.
	slowest = 64 << 10
)

// retry makes a request for so many bytes until it does not fail for a reason that may pass. The
// error is fs.ErrNotExist or fs.ErrExist only if the store says so of this object.
func (d *Bucket) retry(ctx context.Context, op, name string, bytes int64, request func(context.Context) error) error {
	for n := 1; ; n++ {
		limited, cancel := context.WithTimeout(ctx, patience+time.Duration(bytes/slowest)*time.Second)
		err := request(limited)
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !transient(err) || n == tries:
			return about(op, name, err)
		}
		// Not all who met the same failure come back at the same time.
		pause := d.pause << (n - 1)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// permanentError is an error that does not pass.
type permanentError struct{ error }

// transient reports whether a request may succeed when it is made again.
func transient(err error) bool {
	switch status := status(err); {
	case errors.As(err, new(*permanentError)), errors.As(err, new(*fs.PathError)): // of scratch files, or file://
		return false
	case errors.As(err, new(*net.DNSError)): // a driver takes it for a missing object
		return true
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooManyRequests:
		return gcerrors.Code(err) != gcerrors.FailedPrecondition // Azure: 409, it exists
	case status >= 300 && status < 500, status == http.StatusNotImplemented, status == http.StatusInsufficientStorage:
		return false
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound, gcerrors.AlreadyExists, gcerrors.FailedPrecondition, gcerrors.InvalidArgument,
		gcerrors.PermissionDenied, gcerrors.Unimplemented:
		return false
	}
	return true
}

// status returns the status that a store answered with, if it is known.
func status(err error) int {
	var aws interface{ HTTPStatusCode() int }
	var google *googleapi.Error
	var azure *azcore.ResponseError
	switch {
	case errors.As(err, &aws):
		return aws.HTTPStatusCode()
	case errors.As(err, &google):
		return google.Code
	case errors.As(err, &azure):
		return azure.StatusCode
	}
	return 0
}

// about makes the error of a request one about an object.
func about(op, name string, err error) error {
	code, status := gcerrors.Code(err), status(err)
	switch {
	case transient(err):
	case code == gcerrors.NotFound && (status == 0 || status == http.StatusNotFound) && (op == "read" || op == "stat" || op == "remove"):
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	case (code == gcerrors.FailedPrecondition || code == gcerrors.AlreadyExists || status == http.StatusPreconditionFailed) && op == "create":
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrExist}
	}
	return opaque(op, name, err)
}

// opaque returns an error that is nothing but a text: what is missing inside a driver, such as a
// file with credentials, must not look like a missing object.
func opaque(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("%v", err)}
}
