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
	// tries is the number of attempts at a request. The cloud drivers retry too, but not often
	// enough, and not after a failure in the middle of a body.
	tries = 6
	// patience is the time limit of a request, apart from the transfer of its bytes.
	patience = time.Minute
	// slowest is the transfer rate in bytes per second below which a request times out.
	slowest = 64 << 10
)

// retry makes a request about an object that transfers the given number of bytes, and retries it
// after transient errors. The error is fs.ErrNotExist or fs.ErrExist only if the store says so
// about this object.
func (d *Bucket) retry(ctx context.Context, op, name string, bytes int64, request func(context.Context) error) error {
	if err := valid(name); err != nil {
		return err
	}
	return d.insist(ctx, op, name, bytes, request)
}

// insist is retry for a request about an object or the bucket.
func (d *Bucket) insist(ctx context.Context, op, name string, bytes int64, request func(context.Context) error) error {
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
		// Jitter, so that not all clients that saw the same failure retry at the same time.
		pause := d.pause << (n - 1)
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

// permanentError is an error that is not transient.
type permanentError struct{ error }

// transient reports whether a request may succeed when it is retried.
func transient(err error) bool {
	switch status := status(err); {
	case errors.As(err, new(*permanentError)), errors.As(err, new(*fs.PathError)): // from scratch files, or file://
		return false
	case errors.As(err, new(*net.DNSError)): // a driver reports it as a missing object
		return true
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooManyRequests:
		return gcerrors.Code(err) != gcerrors.FailedPrecondition // Azure: 409 also means that the object exists
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

// status returns the HTTP status of the response, or 0 if it is not known.
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

// about turns the error of a request into an error about an object.
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

// opaque returns an error that keeps only the text of err. If a driver misses something of its own,
// such as a file with credentials, that must not look like a missing object.
func opaque(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: fmt.Errorf("%v", err)}
}
