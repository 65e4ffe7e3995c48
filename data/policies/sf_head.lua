-- The horizon shrinks with the clock below one second, also when the control tells the moves to go: a cliff there.
-- The first clocked move of a game fixes a factor from its own clock, which g keeps.
return policy {
  name   = "sf_head",
  title  = "Stockfish, August 2026",
  source = "official-stockfish/Stockfish, src/timeman.cpp 46-135 and src/search.cpp 564-623, commit 762dd1da",
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
    if scaled < 1000 then
      horizon = trunc(scaled * 0.05)
    end
    local left = max(1, time + inc * (horizon - 1) - over * (2 + horizon))
    local scale, most
    if m == 0 then
      if (g.ota or -1) < 0 then
        g.ota = 0.3272 * log10(left) - 0.4141
      end
      local magnitude = log10(scaled / 1000)
      local rise = min(0.0029869 + 0.00033554 * magnitude, 0.004905)
      scale = min(0.012112 + pow(c.ply + 3.22713, 0.46866) * rise, 0.19404 * time / left) * g.ota
      most = min(6.873, max(3.3744 + 3.0608 * magnitude, 3.1441) + c.ply / 12.352)
    else
      scale = min((0.88 + c.ply / 116.4) / horizon, 0.88 * time / left)
      most = 1.3 + 0.11 * horizon
    end
    local soft = trunc(max(1, scale * left))
    local hard = trunc(max(soft, min(0.8097 * time - over, most * soft)))
    if c.ponder then
      soft = soft + idiv(soft, 4)
    end
    return soft / npm, hard / npm
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.changes = g.changes / 2 + s.changes
    local score = s.score * p.internal
    local before = (s.prev_move_score or 10000) * p.internal
    local four = (s.scores[4] or s.prev_move_score or 0) * p.internal
    local falling = clamp((11.48 + 2.3 * (before - score) + 1.1 * (four - score)) / 100, 0.576, 1.728)
    local calm = (s.depth - s.last_change - 4.96) / (18.79 - 4.96)
    g.tau = clamp(lerp(0.639, 1.712, calm), 0.629, 1.544)
    local reduction = (1.468 + (g.tau_before or 0.85)) / (2.284 * g.tau)
    local unstable = 1.077 + 2.229 * g.changes
    local effort = clamp(lerp(0.969, 0.714, (100000 * s.share - 75800) / (104510 - 75800)), 0.693, 0.838)
    local total = b.soft * falling * reduction * unstable * effort
    if s.legal == 1 then
      total = min(500, total)
    end
    return min(total, b.hard)
  end,
  finish = function(s, g, p)
    g.tau_before = g.tau
    if p.nodestime > 0 and g.avail then
      g.avail = max(0, g.avail - (s.nodes - g.inc))
    end
  end,
}
