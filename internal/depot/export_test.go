//go:build cloud

package depot

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
)

// Tries is the number of attempts at a request.
const Tries = tries

// Hasten makes a bucket retry without delay, and disables the retries of the driver for S3. It also
// makes pages short. name and prefix are those of the bucket.
func Hasten(ctx context.Context, d Depot, name, prefix string) error {
	b := d.(*Bucket)
	b.page, b.pause = 7, time.Millisecond
	var c *s3.Client
	if !b.bucket.As(&c) {
		return nil
	}
	once := s3.New(c.Options(), func(o *s3.Options) { o.Retryer = aws.NopRetryer{} })
	again, err := s3blob.OpenBucket(ctx, once, name, nil)
	if err == nil {
		b.bucket = blob.PrefixedBucket(again, prefix)
	}
	return err
}
