/* Kalah(M,N) as in examples/kalah.sow with empty_capture = false, or with -DRELAY=1 Congkak as in
   examples/congkak.sow: all states that can be reached. spin -a -DM=4 -DN=3 -DRELAY=0 kalah.pml.
   SPIN counts one state more, which is before init. */

#define PITS (2*M+2)

byte pit[PITS];  /* South's houses and store, then North's, in the order of sowing */
byte mover;      /* 0 South, 1 North, 2 nobody: the game is over */

/* Only of use within a step: no part of a state. */
hidden byte own, theirs, at, hand, j, south, north;

inline play(house) {
  d_step {
    mover != 2 && pit[mover*(M+1)+house] > 0 ->
    own = mover*(M+1)+M;
    theirs = (1-mover)*(M+1)+M;
    at = mover*(M+1)+house;
    hand = pit[at];
    pit[at] = 0;
    do
    :: hand > 0 ->
       at = (at == PITS-1 -> 0 : at+1);
       if
       :: at != theirs -> pit[at] = pit[at]+1; hand = hand-1
       :: else
       fi
    :: hand == 0 && RELAY && at != own && pit[at] > 1 ->
       hand = pit[at];
       pit[at] = 0
    :: else -> break
    od;
    if
    :: at == own
    :: at != own ->
       if
       :: at >= own-M && at < own && pit[at] == 1 && pit[2*M-at] > 0 ->
          pit[own] = pit[own]+1+pit[2*M-at];
          pit[at] = 0;
          pit[2*M-at] = 0
       :: else
       fi;
       mover = 1-mover
    fi;
    south = 0; north = 0; j = 0;
    do
    :: j < M -> south = south+pit[j]; north = north+pit[M+1+j]; j = j+1
    :: else -> break
    od;
    if
    :: south == 0 || north == 0 ->
       pit[M] = pit[M]+south;
       pit[2*M+1] = pit[2*M+1]+north;
       j = 0;
       do
       :: j < M -> pit[j] = 0; pit[M+1+j] = 0; j = j+1
       :: else -> break
       od;
       mover = 2
    :: else
    fi
  }
}

init {
  d_step {
    j = 0;
    do
    :: j < M -> pit[j] = N; pit[M+1+j] = N; j = j+1
    :: else -> break
    od
  };
end:
  do
  :: play(0)
#if M > 1
  :: play(1)
#endif
#if M > 2
  :: play(2)
#endif
#if M > 3
  :: play(3)
#endif
#if M > 4
  :: play(4)
#endif
#if M > 5
  :: play(5)
#endif
  od
}
