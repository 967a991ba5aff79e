-- Kalah(m,n) as in examples/kalah.sow with empty_capture = false, or with relay = 1 Congkak as in
-- examples/congkak.sow: all states that can be reached. @M@, @N@ and @RELAY@ stand for the values.
const
  m: @M@;
  n: @N@;
  relay: @RELAY@;

type
  place: 0..2*m+1; -- South's houses and store, then North's, in the order of sowing
  seeds: 0..2*m*n;

var
  pit: array [place] of seeds;
  mover: 0..2; -- 0 South, 1 North, 2 nobody: the game is over

startstate begin
  for i: place do
    if i = m | i = 2*m+1 then pit[i] := 0; else pit[i] := n; end;
  end;
  mover := 0;
end;

ruleset house: 0..m-1 do
  rule "move"
    mover != 2 & pit[mover*(m+1)+house] > 0
  ==>
  var
    at: place;
    own: place;
    theirs: place;
    hand: seeds;
    south: seeds;
    north: seeds;
  begin
    own := mover*(m+1)+m;
    theirs := (1-mover)*(m+1)+m;
    at := mover*(m+1)+house;
    hand := pit[at];
    pit[at] := 0;
    while hand > 0 do
      if at = 2*m+1 then at := 0; else at := at+1; end;
      if at != theirs then
        pit[at] := pit[at]+1;
        hand := hand-1;
      end;
      if relay = 1 & hand = 0 & at != own & pit[at] > 1 then
        hand := pit[at];
        pit[at] := 0;
      end;
    end;
    if at != own then
      if at >= own-m & at < own & pit[at] = 1 & pit[2*m-at] > 0 then
        pit[own] := pit[own]+1+pit[2*m-at];
        pit[at] := 0;
        pit[2*m-at] := 0;
      end;
      mover := 1-mover;
    end;
    south := 0;
    north := 0;
    for j: 0..m-1 do
      south := south+pit[j];
      north := north+pit[m+1+j];
    end;
    if south = 0 | north = 0 then
      pit[m] := pit[m]+south;
      pit[2*m+1] := pit[2*m+1]+north;
      for j: 0..m-1 do
        pit[j] := 0;
        pit[m+1+j] := 0;
      end;
      mover := 2;
    end;
  end;
end;
