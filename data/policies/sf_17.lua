-- Below one second of clock, and with less than a second of increment, the horizon is a twentieth of the clock's
-- milliseconds, in whole moves: a step every 20 ms.
return policy {
  name   = "sf_17",
  title  = "Stockfish 17",
  source = "official-stockfish/Stockfish, src/timeman.cpp 47-138, commit e0bfc4b6 (2024-09-06)",
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
    local horizon = 50
    if m ~= 0 then
      horizon = min(m, 50)
    end
    if scaled < 1000 and horizon / idiv(inc, npm) > 0.05 then
      horizon = trunc(scaled * 0.05)
    end
    local left = max(1, time + inc * (horizon - 1) - over * (2 + horizon))
    local scale, most
    if m == 0 then
      if (g.ota or -1) < 0 then
        g.ota = 0.3285 * log10(left) - 0.4830
      end
      local magnitude = log10((scaled == 0 and 1 or scaled) / 1000) -- an empty clock of nodes counts as 1 ms
      local rise = min(0.00308 + 0.000319 * magnitude, 0.00506)
      scale = min(0.0122 + pow(c.ply + 2.95, 0.462) * rise, 0.213 * time / left) * g.ota
      most = min(6.64, max(3.39 + 3.01 * magnitude, 2.93) + c.ply / 12)
    else
      scale = min((0.88 + c.ply / 116.4) / horizon, 0.88 * time / left)
      most = min(6.3, 1.5 + 0.11 * horizon)
    end
    local soft = i64(scale * left)
    local hard = i64(min(0.825 * time - over, most * soft)) - 10
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
    local falling = clamp((1067 + 223 * (before - score) + 97 * (four - score)) / 10000, 0.58, 1.667)
    g.tau = when(s.last_change + 8 < s.depth, 1.495, 0.687)
    local reduction = (1.48 + (g.tau_before or 0.85)) / (2.17 * g.tau)
    local total = b.soft * falling * reduction * (1 + 1.88 * g.changes)
    if s.legal == 1 then
      total = min(500, total)
    end
    if s.depth >= 10 and s.share >= 0.97 then
      total = 0.739 * total
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
