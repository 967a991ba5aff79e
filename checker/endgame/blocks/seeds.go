package blocks

// Seeds are the numbers of seeds in the halves.
type Seeds [2]int

// Total returns the number of the layer.
func (s Seeds) Total() int { return s[0] + s[1] }

// Swap exchanges the halves.
func (s Seeds) Swap() Seeds { return Seeds{s[1], s[0]} }
