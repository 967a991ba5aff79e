/* Oware as in examples/oware.sow with M houses and N seeds in each: all states that can be reached.
   spin -a -DM=4 -DN=2 oware.pml. SPIN counts one state more, which is before init. */

#define HOUSES (2*M)

mtype = { live, majority, starved };

byte house[HOUSES];  /* South's, then North's, in the order of sowing */
byte store[2];
byte mover;          /* 0 South, 1 North; 0 once the game is over */
mtype status = live;

/* Only of use within a step: no part of a state. */
hidden byte base, theirs, at, hand, i, lot, sum, moves;

/* total leaves in sum what is in the houses from a place on. */
inline total(from) {
  sum = 0; i = 0;
  do
  :: i < M -> sum = sum+house[from+i]; i = i+1
  :: else -> break
  od
}

/* A move must leave seeds on the other side before captures: there were some, or it reaches there.
   One that does not leaves all as it is. */
inline play(h) {
  d_step {
    status == live && house[mover*M+(h)] > 0 ->
    base = mover*M;
    theirs = M-base;
    total(theirs);
    if
    :: sum > 0 || house[base+(h)] >= M-(h) -> sow(h)
    :: else
    fi
  }
}

inline sow(h) {
  at = base+(h);
  hand = house[at];
  house[at] = 0;
  do
  :: hand > 0 ->
     at = (at+1) % HOUSES;
     if
     :: at != base+(h) -> house[at] = house[at]+1; hand = hand-1
     :: else
     fi
  :: else -> break
  od;

  /* The chain of captures, which must not take all. */
  total(theirs);
  lot = 0; i = 0;
  do
  :: at >= theirs+i && at < theirs+M && (house[at-i] == 2 || house[at-i] == 3) ->
     lot = lot+house[at-i];
     i = i+1
  :: else -> break
  od;
  if
  :: lot < sum ->
     store[mover] = store[mover]+lot;
     do
     :: i > 0 -> i = i-1; house[at-i] = 0
     :: else -> break
     od
  :: else
  fi;

  mover = 1-mover;
  if
  :: store[0] > M*N || store[1] > M*N -> status = majority; mover = 0
  :: else ->
     /* Has the next player a move? */
     total(base);
     moves = 0; i = 0;
     do
     :: i < M ->
        if
        :: house[theirs+i] > 0 && (sum > 0 || house[theirs+i] >= M-i) -> moves = 1
        :: else
        fi;
        i = i+1
     :: else -> break
     od;
     if
     :: moves == 0 ->
        total(0); store[0] = store[0]+sum;
        total(M); store[1] = store[1]+sum;
        i = 0;
        do
        :: i < HOUSES -> house[i] = 0; i = i+1
        :: else -> break
        od;
        status = starved; mover = 0
     :: else
     fi
  fi
}

init {
  d_step {
    i = 0;
    do
    :: i < HOUSES -> house[i] = N; i = i+1
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
