-- Soft is never less than the increment, so the clock cannot grow. Both limits move: with the iterations that kept
-- the best move (twice their number) and with the share of nodes under it.
local function limits(p, g, constance, ratio)
  local time, inc, m = g.time, g.inc, g.m
  if m ~= 0 then
    local v = idiv(3 * min(32, m), 32)
    local all = time + m * inc
    local f1 = max(9 - v, 21 - v - constance) * ratio
    local f2 = max(19, 31 - constance) * ratio
    local soft = idiv(idiv(all * f1, 128), m + 1) / 10
    return soft, min(max(0, time - p.overhead * (m + 1)), idiv(idiv(idiv(f2 * all, 128), m + 1), 19 - 4 * v))
  elseif inc ~= 0 then
    local late = 256 - g.phase
    time = max(inc, time)
    local soft = max(inc, idiv(idiv(max(5, 17 - constance) * ratio * (time + inc), 128), late))
    local hard = max(inc, idiv(idiv(max(15, 27 - constance) * ratio * (time + inc), 128), late))
    return soft, min(max(0, time - p.overhead), hard)
  end
  local soft = idiv(idiv(time, min(42, 30 + constance)) * ratio, 128)
  local hard = idiv(idiv(time, min(22, 10 + constance)) * ratio, 128)
  return soft, min(max(0, time - p.overhead), hard)
end

return policy {
  name   = "rubichess",
  title  = "RubiChess, March 2026",
  source = "Matthies/RubiChess, src/engine.cpp 807-870 and src/search.cpp 1541-1580, commit a96d97ec",
  unit   = "ms",
  params = {
    overhead = { 100, min = 0, max = 5000, time = true, help = "Move_Overhead" },
  },
  budget = function(c, p, g)
    g.time, g.inc, g.m = trunc(c.time), trunc(c.inc), c.movestogo or 0
    if g.time == 0 then
      if g.inc == 0 then
        return huge, huge
      end
      return g.inc - p.overhead, g.inc - p.overhead
    end
    local pieces = idiv((24 - c.phase) * 255, 24)
    g.phase = idiv(pieces + min(255, 6 * (idiv(c.ply, 2) + 1)), 2)
    local soft, hard = limits(p, g, g.constance or 0, g.ratio or 128)
    local _, most = limits(p, g, 0, 320)
    return soft, hard, most
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.legal == 1 and s.depth > 4 then
      return 0
    elseif g.time == 0 then
      return b.soft
    end
    local soft, hard = limits(p, g, 2 * s.stable, trunc(128 * (2.5 - 2 * s.share)))
    if s.stable == 0 then
      soft = huge
    end
    return soft, hard
  end,
}
