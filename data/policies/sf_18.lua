-- The hard limit is below zero up to about 0.17 s. A negative clock makes NaN, which the conversion to integers turns
-- into a wall that lies beyond all times.
return policy {
  name   = "sf_18",
  title  = "Stockfish 18",
  source = "official-stockfish/Stockfish, src/timeman.cpp 46-137 and src/search.cpp 484-527, commit cb3d4ee9 (2026-01-31)",
  unit   = "ms",
  params = {
    overhead  = { 10, min = 0, max = 5000, time = true, help = "Move Overhead" },
    nodestime = { 0, min = 0, max = 10000, help = "nodes per ms that stand for time; 0: off" },
    internal  = { 3.5, min = 1, max = 5, help = "the engine's score units in a centipawn (guess)" },
  },
  budget = function(c, p, g)
    local time, inc, over, npm = trunc(c.time), trunc(c.inc), p.overhead, max(1, p.nodestime)
    if time == 0 then
      return huge, huge -- the engine sets no limits, or keeps stale ones
    end
    g.inc = inc * npm
    if p.nodestime > 0 then
      g.avail = g.avail or npm * time
      time, inc, over = g.avail, inc * npm, over * npm
    end
    g.changes = 0
    local m = c.movestogo or 0
    local scaled = idiv(time, npm)
    local horizon = 5051 -- hundredths of a move
    if m ~= 0 then
      horizon = min(m * 100, 5000)
    end
    if scaled < 1000 then
      horizon = trunc(scaled * 5.051)
    end
    local left = max(1, time + idiv(inc * (horizon - 100) - over * (200 + horizon), 100))
    local scale, most
    if m == 0 then
      if (g.ota or -1) < 0 then
        g.ota = 0.3128 * log10(left) - 0.4354
      end
      local magnitude = log10((scaled == 0 and 1 or scaled) / 1000) -- an empty clock of nodes counts as 1 ms
      local rise = min(0.0032116 + 0.000321123 * magnitude, 0.00508017)
      scale = min(0.0121431 + pow(c.ply + 2.94693, 0.461073) * rise, 0.213035 * time / left) * g.ota
      most = min(6.67704, max(3.3977 + 3.0395 * magnitude, 2.94761) + c.ply / 11.9847)
    else
      scale = min((0.88 + c.ply / 116.4) / (horizon / 100), 0.88 * time / left)
      most = 1.3 + 0.11 * (horizon / 100)
    end
    local soft = i64(scale * left)
    local hard = i64(min(0.825179 * time - over, most * soft)) - 10
    if c.ponder then
      soft = soft + idiv(soft, i64(4))
    end
    return soft / npm, hard / npm
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.changes = g.changes / 2 + s.changes
    local score = s.score * p.internal
    local before = (s.prev_move_score or 10000) * p.internal
    local four = (s.scores[4] or s.prev_move_score or 0) * p.internal
    local falling = clamp((11.85 + 2.24 * (before - score) + 0.93 * (four - score)) / 100, 0.57, 1.7)
    g.tau = 0.66 + 0.85 / (0.98 + exp(-0.51 * (s.depth - s.last_change - 12.15)))
    local reduction = (1.43 + (g.tau_before or 0.85)) / (2.28 * g.tau)
    local unstable = 1.02 + 2.14 * g.changes
    local total = b.soft * falling * reduction * unstable * when(s.share >= 0.9334, 0.76, 1)
    if s.legal == 1 then
      total = min(502, total)
    end
    return total
  end,
  finish = function(s, g, p)
    g.tau_before = g.tau
    if p.nodestime > 0 and g.avail then
      g.avail = max(0, g.avail - (s.nodes - g.inc))
    end
  end,
}
