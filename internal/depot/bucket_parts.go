//go:build cloud

package depot

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

const (
	part     = 8 << 20 // bytes of a part of an upload
	parts    = 9000    // most parts of an object; the limit of S3 is 10,000
	together = 2       // parts that are uploaded at the same time
)

// partOf returns the size of the parts of an object.
func partOf(size int64) int64 { return max(part, size/parts) }

// sweepParts makes a cancelled upload to S3 delete its parts, which would otherwise be charged for.
// By default it would try that with the context that was cancelled.
func (d *Bucket) sweepParts(size int64) func(as func(any) bool) error {
	return func(as func(any) bool) error {
		var uploads *transfermanager.Client
		var client *s3.Client
		if as(&uploads) && d.bucket.As(&client) {
			*uploads = *transfermanager.New(client, func(o *transfermanager.Options) {
				o.RequestChecksumCalculation = client.Options().RequestChecksumCalculation
				o.PartSizeBytes = partOf(size)
				o.Concurrency = together
				o.FailTimeout = 30 * time.Second
			})
		}
		return nil
	}
}
