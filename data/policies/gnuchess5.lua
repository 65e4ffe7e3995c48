-- In float32. The divisor of sudden death jumps from 35 to 60 when the clock falls to a minute. Increments count in
-- whole seconds.
return policy {
  name   = "gnuchess5",
  title  = "GNU Chess 5",
  source = "0fff5ec/gnuchess, src/iterate.c 76-108 and 266-283, src/cmd.c 285-312, commit 39774d82 (2011)",
  unit   = "s",
  budget = function(c, p, g)
    local m = c.movestogo or 0
    local moves = g.movelimit or 35
    if m ~= 0 then
      moves = m
    end
    g.time = c.time + c.inc
    local soft = f32(f32(f32(c.time - 2) / moves) * 0.95)
    if m == 0 then
      soft = f32(soft * 0.92)
    end
    local inc = trunc(c.inc)
    if inc > 0 and soft < inc and c.time > 30 then
      soft = inc
    end
    return soft, f32(4 * soft)
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.legal == 1 then
      return 0
    elseif s.drop >= 25 then
      return huge
    end
    return b.soft * 2 / 3
  end,
  finish = function(s, g, p)
    local left = g.time - s.elapsed
    g.movelimit = when(left > 0 and left <= 60, 60, 35)
  end,
}
