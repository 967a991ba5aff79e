// Package board builds what a game has before play: the values of parameters, the board as it is
// drawn with what follows from the picture and what its lines declare, and the state variables.
package board
