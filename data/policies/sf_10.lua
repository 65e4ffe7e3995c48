-- Each coming move has an importance that falls with the ply; the share of this one is tried for every horizon up to
-- 50 moves, and the smallest counts. The floor of 20 ms does not look at the clock: below it hard exceeds the clock.
local function importance(ply)
  return pow(1 + exp((ply - 64.5) / 6.85), -0.171) + 2.2250738585072014e-308
end

return policy {
  name   = "sf_10",
  title  = "Stockfish 10",
  source = "official-stockfish/Stockfish, src/timeman.cpp and src/search.cpp, commit b4c239b6 (2018-11-29)",
  unit   = "ms",
  params = {
    overhead = { 30, min = 0, max = 5000, time = true, help = "Move Overhead" },
    slow     = { 84, min = 10, max = 1000, help = "Slow Mover, percent" },
    least    = { 20, min = 0, max = 5000, time = true, help = "Minimum Thinking Time" },
    internal = { 2.13, min = 1, max = 5, help = "the engine's score units in a centipawn (guess)" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    local m = c.movestogo or 0
    local soft = max(time, p.least)
    local hard = soft
    local own = importance(c.ply) * p.slow / 100
    local others, horizons = 0, 50
    if m ~= 0 then
      horizons = min(m, 50)
    end
    g.changes = 0
    for h = 1, horizons do
      if h > 1 then
        others = others + importance(c.ply + 2 * (h - 1))
      end
      local left = max(0, time + inc * (h - 1) - p.overhead * (2 + min(h, 40)))
      local share = min(own / (own + others), (own + 0 * others) / (own + others))
      local most = min(7.3 * own / (7.3 * own + others), (own + 0.34 * others) / (own + others))
      soft = min(soft, p.least + trunc(left * share))
      hard = min(hard, p.least + trunc(left * most))
    end
    if c.ponder then
      soft = soft + idiv(soft, 4)
    end
    return soft, hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.changes = g.changes / 2 + s.changes
    local drop = ((s.prev_move_score or 0) - s.score) * p.internal
    local factor = clamp(306 + 119 * min(1, s.fail_low) + 6 * drop, 246, 832) / 581
    g.tau = 1
    for i = 3, 5 do
      if s.last_change * i < s.depth then
        g.tau = g.tau * 1.25
      end
    end
    local unstable = (1 + g.changes) * pow(g.tau_before or 1, 0.528) / g.tau
    if s.legal == 1 then
      return 0
    end
    return b.soft * unstable * factor
  end,
  finish = function(s, g, p)
    g.tau_before = g.tau
  end,
}
