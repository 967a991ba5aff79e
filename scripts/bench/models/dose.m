-- The DOSE board as in examples/dose2015.sow: rows of m holes, n stones, all starts, all states that
-- can be reached. @M@ and @N@ stand for m and n. States in which stones are still dealt are subtracted.
const
  m: @M@;
  n: @N@;

type
  ring: 0..2*m+1; -- holes 0..m-1 and store m in clockwise order, then the other row and store
  stones: 0..n;

var
  place: array [ring] of stones;
  selected: 0..2*m+2; -- 2*m+2 is none
  status: enum { dealing, live, lost, won };
  next: 0..2*m;  -- the hole to be filled; 0 once all are
  left: stones;  -- not dealt yet

function store(i: ring): boolean;
begin
  return i = m | i = 2*m+1;
end;

startstate begin
  for i: ring do place[i] := 0; end;
  selected := 2*m+2;
  status := dealing;
  next := 0;
  left := n;
end;

ruleset c: 1..n do
  rule "deal"
    status = dealing & next < 2*m & c <= left-(2*m-next-(next < m ? 1 : 0))
  ==>
  begin
    place[next] := c;
    left := left-c;
    next := (next+1 = m ? m+1 : next+1);
    if next = 2*m then
      place[next] := left;
      left := 0;
      next := 0;
      status := live;
    end;
  end;
end;

ruleset h: ring do
  rule "choose"
    status = live & selected = 2*m+2 & !store(h)
  ==>
  begin
    selected := h;
  end;
end;

ruleset clockwise: boolean do
  rule "sow"
    status = live & selected != 2*m+2 & place[selected] > 0
  ==>
  var
    at: ring;
    step: 1..2*m+1;
    hand: stones;
    empty: boolean;
    sum: stones;
  begin
    step := (clockwise ? 1 : 2*m+1);
    at := selected;
    hand := place[at];
    place[at] := 0;
    empty := false;
    while hand > 0 do
      at := (at+step) % (2*m+2);
      if !store(at) | hand = 1 then
        empty := place[at] = 0;
        place[at] := place[at]+1;
        hand := hand-1;
      end;
    end;
    if store(at) then
      selected := (at+2*m+2-step) % (2*m+2);
    elsif empty then
      status := lost;
    else
      selected := at;
    end;
    sum := 0;
    for i: ring do
      if !store(i) then sum := sum+place[i]; end;
    end;
    if sum = 0 then status := won; end;
  end;
end;
