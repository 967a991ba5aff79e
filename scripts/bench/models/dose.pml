/* The DOSE board as in examples/dose2015.sow: rows of M holes, N stones, all starts, all states that
   can be reached. spin -a -DM=6 -DN=14 dose.pml. SPIN counts one state more, which is before init. */

#define PLACES (2*M+2)
#define STORE(i) ((i) == M || (i) == 2*M+1)
#define NONE PLACES

mtype = { live, lost, won };

byte place[PLACES];   /* holes 0..M-1 and store M in clockwise order, then the other row and store */
byte selected = NONE;
mtype status = live;
byte next, left;      /* only of use before the game */

/* Only of use within a step: no part of a state. */
hidden byte at, hand, i, sum, bare;

inline sow(step) {
  d_step {
    status == live && selected != NONE && place[selected] > 0 ->
    at = selected;
    hand = place[at];
    place[at] = 0;
    do
    :: hand > 0 ->
       at = (at+(step)) % PLACES;
       if
       :: STORE(at) && hand > 1
       :: else -> bare = (place[at] == 0); place[at] = place[at]+1; hand = hand-1
       fi
    :: else -> break
    od;
    if
    :: STORE(at) -> selected = (at+PLACES-(step)) % PLACES
    :: else ->
       if
       :: bare -> status = lost
       :: else -> selected = at
       fi
    fi;
    sum = 0; i = 0;
    do
    :: i < M -> sum = sum+place[i]+place[M+1+i]; i = i+1
    :: else -> break
    od;
    if
    :: sum == 0 -> status = won
    :: else
    fi
  }
}

#define choose_hole(h) d_step { selected == NONE && h < PLACES && !STORE(h) -> selected = h }

init {
  atomic {  /* what is within it is not stored */
    left = N-2*M;
    do
    :: next < PLACES && STORE(next) -> next = next+1
    :: next < PLACES && !STORE(next) ->
       place[next] = 1;
       do
       :: left > 0 -> place[next] = place[next]+1; left = left-1
       :: next < 2*M || left == 0 -> break
       od;
       next = next+1
    :: next == PLACES -> break
    od;
    next = 0
  };
end:
  do
  :: choose_hole(0) :: choose_hole(1) :: choose_hole(2) :: choose_hole(3) :: choose_hole(4)
  :: choose_hole(5) :: choose_hole(6) :: choose_hole(7) :: choose_hole(8) :: choose_hole(9)
  :: choose_hole(10) :: choose_hole(11) :: choose_hole(12)
  :: sow(1)
  :: sow(PLACES-1)
  od
}
