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

// Tries is how many times a request is made.
const Tries = tries

// Hasten lets a bucket make requests again at once, and leaves that to this package: the driver for
// S3 does not. Pages are short. name and prefix are those of the bucket.
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
