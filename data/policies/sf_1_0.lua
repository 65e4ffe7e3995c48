-- The branch for games without increment cannot be reached in the engine, so it is not here. Soft exceeds hard below
-- about 4.6 increments.
return policy {
  name   = "sf_1_0",
  title  = "Stockfish 1.0",
  source = "official-stockfish/Stockfish, src/search.cpp 420-454, 650-690 and 2251-2259, commit 1a158c0c (2008-11-02)",
  unit   = "ms",
  budget = function(c, p, g)
    local time, inc, m = trunc(c.time), trunc(c.inc), c.movestogo or 0
    local soft, hard
    g.before, g.now = 0, 0
    g.ahead = time - c.opp_time
    if m == 0 then
      soft = idiv(time, 30) + inc
      hard = max(idiv(time, 4), inc - 100)
    elseif m == 1 then
      soft = idiv(time, 2)
      hard = min(idiv(time, 2), time - 500)
    else
      soft = idiv(time, min(m, 20))
      hard = min(idiv(4 * time, m), idiv(time, 3))
    end
    if c.ponder then
      soft = min(soft + idiv(soft, 4), hard)
    end
    return soft, hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.before, g.now = g.now, s.changes
    local extra = g.now * b.soft / 2 + g.before * b.soft / 3
    if extra > 0 and g.ahead > 2 * b.soft then
      extra = extra + b.soft / 2
    end
    return (b.soft + extra) * 80 / 128 -- without the stops for an easy move and inside an iteration
  end,
}
