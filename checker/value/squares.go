package value

import "math"

// squares fits a linear function to samples by least squares.
type squares struct {
	n       int
	product []float64 // of the features of all samples, n by n; the part below the diagonal and that
	sum     []float64 // of the features times the value
	samples float64
}

// add adds a sample: its features in ascending order of their places, and its value.
func (s *squares) add(f []feature, value float64) {
	s.samples++
	for i, a := range f {
		s.sum[a.at] += a.value * value
		row := s.product[a.at*s.n:]
		for _, b := range f[:i+1] {
			row[b.at] += a.value * b.value
		}
	}
}

// forget makes all samples so far count less.
func (s *squares) forget(by float64) {
	for i := range s.product {
		s.product[i] *= by
	}
	for i := range s.sum {
		s.sum[i] *= by
	}
	s.samples *= by
}

// solve returns the function that has the least sum of squares of what it is wrong by, and of its
// factors times the penalty.
func (s *squares) solve(penalty float64) []float64 {
	n := s.n
	l := append([]float64(nil), s.product...)
	x := append([]float64(nil), s.sum...)
	for i := range n {
		l[i*n+i] += penalty
	}
	// Cholesky decomposition, then substitution forward and back.
	for i := range n {
		for j := range i + 1 {
			sum := l[i*n+j]
			for k := range j {
				sum -= l[i*n+k] * l[j*n+k]
			}
			if i == j {
				l[i*n+i] = math.Sqrt(max(sum, penalty/2))
			} else {
				l[i*n+j] = sum / l[j*n+j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= l[i*n+k] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= l[k*n+i] * x[k]
		}
		x[i] /= l[i*n+i]
	}
	return x
}
