-- Oware as in examples/oware.sow with m houses and n seeds in each: all states that can be reached.
-- @M@ and @N@ stand for m and n.
const
  m: @M@;
  n: @N@;

type
  side: 0..1; -- South, North
  ring: 0..2*m-1; -- South's houses, then North's, in the order of sowing
  seeds: 0..2*m*n;

var
  house: array [ring] of seeds;
  store: array [side] of seeds;
  mover: side; -- 0 once the game is over
  status: enum { live, majority, starved };

function total(p: side): seeds;
var sum: seeds;
begin
  sum := 0;
  for i: 0..m-1 do sum := sum+house[p*m+i]; end;
  return sum;
end;

-- A move must leave seeds on the other side before captures: there were some, or it reaches there.
function legal(p: side; h: ring): boolean;
begin
  return house[p*m+h] > 0 & (house[p*m+h] >= m-h | total(1-p) > 0);
end;

startstate begin
  for i: ring do house[i] := n; end;
  for p: side do store[p] := 0; end;
  mover := 0;
  status := live;
end;

ruleset h: 0..m-1 do
  rule "move"
    status = live & legal(mover, h)
  ==>
  var
    from: ring;
    at: ring;
    hand: seeds;
    lot: seeds;
    chain: 0..m;
    first: ring;
    stuck: boolean;
  begin
    from := mover*m+h;
    at := from;
    hand := house[at];
    house[at] := 0;
    while hand > 0 do
      at := (at+1) % (2*m);
      if at != from then
        house[at] := house[at]+1;
        hand := hand-1;
      end;
    end;

    -- The chain of captures, which must not take all.
    first := (1-mover)*m;
    lot := 0;
    chain := 0;
    if at >= first & at < first+m then
      while chain < m & at >= first+chain & (house[at-chain] = 2 | house[at-chain] = 3) do
        lot := lot+house[at-chain];
        chain := chain+1;
      end;
    end;
    if lot < total(1-mover) then
      store[mover] := store[mover]+lot;
      while chain > 0 do
        chain := chain-1;
        house[at-chain] := 0;
      end;
    end;

    mover := 1-mover;
    if store[0] > m*n | store[1] > m*n then
      status := majority;
      mover := 0;
    else
      stuck := true;
      for i: 0..m-1 do
        if legal(mover, i) then stuck := false; end;
      end;
      if stuck then
        for p: side do store[p] := store[p]+total(p); end;
        for i: ring do house[i] := 0; end;
        status := starved;
        mover := 0;
      end;
    end;
  end;
end;
