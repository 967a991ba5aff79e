package blocks

// Seeds are those of each half.
type Seeds [2]int

// Total is the number of a layer.
func (s Seeds) Total() int { return s[0] + s[1] }

// Swap exchanges the halves.
func (s Seeds) Swap() Seeds { return Seeds{s[1], s[0]} }
