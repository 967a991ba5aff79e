//go:build cloud

package depot

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

const (
	part     = 8 << 20 // bytes that are sent at a time
	parts    = 9000    // S3 takes no more than 10,000 for an object
	together = 2       // parts that are sent at the same time
)

// partOf returns the number of bytes of a part of an object.
func partOf(size int64) int64 { return max(part, size/parts) }

// sweepParts lets an upload to S3 that is ended take its parts away, which are paid for. Left to
// itself it would do so with the context that has ended.
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
