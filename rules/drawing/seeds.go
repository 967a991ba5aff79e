package drawing

import "math"

// maxDots is the greatest number of seeds that is drawn as dots.
const maxDots = 12

// Dots are the places of the seeds in a pit, from its middle, by their number. Of more seeds than
// it has places for, the number is written instead.
var Dots = func() (all [maxDots + 1][][2]int) {
	all[0] = [][2]int{}
	for n := 1; n <= maxDots; n++ {
		inner, outer := rings(n)
		all[n] = append(ring(inner, 4.3), ring(outer, [...]float64{0, 0, 4.5, 5.5, 6.7, 9, 9, 9, 10, 12, 12, 12, 12}[n])...)
	}
	return all
}()

// rings splits seeds among two rings; one alone lies in the middle.
func rings(n int) (inner, outer int) {
	switch {
	case n >= 10:
		return 2 + n/11, n - 2 - n/11
	case n == 1 || n >= 5:
		return 1, n - 1
	}
	return 0, n
}

// ring is n places on a circle, the first one on top.
func ring(n int, radius float64) (list [][2]int) {
	if n == 1 {
		return [][2]int{{0, 0}}
	}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		list = append(list, [2]int{int(math.Round(radius * sin)), int(math.Round(-radius * cos))})
	}
	return list
}
