package chart

import (
	"bytes"
	"html/template"

	"github.com/mancheck/mancheck/internal/numeral"
)

// The measures of a picture, in its own units.
const (
	panelWidth = 460
	rowHeight  = 18
	barsAt     = 130
	barsWide   = 220
	headHeight = 34
	columns    = 2
)

// panel is a chart at its place.
type panel struct {
	X, Y  int
	Title string
	Rows  []row
}

// row is a bar at its place in a panel.
type row struct {
	Y     int
	Label string
	Width float64
	Text  string
}

var picture = template.Must(template.New("svg").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" font-family="sans-serif" font-size="12">
<title>{{.Title}}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="26" font-size="16" font-weight="bold">{{.Title}}</text>
<text x="16" y="46" fill="#555">{{.Below}}</text>
{{range .Panels}}<g transform="translate({{.X}} {{.Y}})">
<text x="16" y="14" font-weight="bold">{{.Title}}</text>
{{range .Rows}}<text x="{{$.LabelsAt}}" y="{{.Y}}" dy="13" text-anchor="end">{{.Label}}</text><rect x="{{$.BarsAt}}" y="{{.Y}}" width="{{printf "%.1f" .Width}}" height="14" fill="#4a7a4a"/><text x="{{printf "%.1f" .End}}" y="{{.Y}}" dy="13" fill="#555">{{.Text}}</text>
{{end}}</g>
{{end}}</svg>
`))

// End is where the text after the bar begins.
func (r row) End() float64 { return barsAt + r.Width + 6 }

// SVG draws charts in two columns below a title and a line of text.
func SVG(title, below string, charts []Chart) ([]byte, error) {
	var panels []panel
	heights := [columns]int{60, 60}
	for _, c := range charts {
		column := 0
		if heights[1] < heights[0] {
			column = 1
		}
		panels = append(panels, c.panel(column*panelWidth, heights[column]))
		heights[column] += headHeight + rowHeight*len(c.Bars)
	}
	var out bytes.Buffer
	err := picture.Execute(&out, map[string]any{
		"Title": title, "Below": below, "Panels": panels,
		"LabelsAt": barsAt - 6, "BarsAt": barsAt, "Width": columns * panelWidth, "Height": max(heights[0], heights[1]),
	})
	return out.Bytes(), err
}

func (c Chart) panel(x, y int) panel {
	p := panel{X: x, Y: y, Title: c.Title}
	total, most := c.total()
	for i, b := range c.Bars {
		r := row{Y: 22 + i*rowHeight, Label: b.Label}
		if most > 0 {
			r.Width = barsWide * float64(b.Count) / float64(most)
		}
		r.Text = numeral.Number(b.Count) + " (" + share(b.Count, total) + ")"
		p.Rows = append(p.Rows, r)
	}
	return p
}
