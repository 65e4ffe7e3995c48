-- The factor on soft compounds: each calm iteration multiplies it by 0.85, so the limit falls with the depth.
-- movestogo 0 kills the engine by a division, which is a fault here.
local average = { 1, 0.99, 0.38, 0.28, 0.23, 0.20, 0.18, 0.16, 0.14, 0.12 }
local upper = { 1, 0.99, 0.74, 0.66, 0.62, 0.59, 0.56, 0.54, 0.52, 0.51 }

return policy {
  name   = "laser",
  title  = "Laser, March 2019",
  source = "jeffreyan11/laser-chess-engine, src/timeman.h, src/uci.cpp 159-204 and src/search.cpp 470-527, commit 6e60f3af",
  unit   = "ms",
  params = {
    overhead = { 300, min = 0, max = 5000, time = true, help = "BufferTime" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    local least = idiv(min(time, p.overhead), 100)
    time = max(0, time - p.overhead)
    local horizon = 40 - idiv(8 * min(80, c.moves), 80)
    if c.movestogo then
      horizon = min(horizon, c.movestogo)
    end
    g.chi = 1
    local value = max(idiv(time, horizon) + inc, least)
    if inc == 0 and horizon < 10 then
      return max(value, trunc(time * average[horizon + 1])), trunc(min(5 * value, time * upper[horizon + 1]))
    end
    local hard = trunc(min(5 * value, 0.95 * time))
    return min(value, idiv(hard, 3)), hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.chi = when(s.changed, max(g.chi, 1) * 1.3, g.chi * 0.92)
    g.chi = g.chi * (0.92 + min(7, sqrt(abs(s.drop))) / 25)
    if s.legal == 1 then
      return min(b.hard / 32, sec(1)) -- without the test for an easy move
    end
    return b.soft * 0.85 * g.chi
  end,
}
