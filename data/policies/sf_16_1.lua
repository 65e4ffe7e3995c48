-- Without increment what is left is 1 ms below 52 overheads. In nodes as time the overhead and the logarithm keep
-- their milliseconds.
return policy {
  name   = "sf_16_1",
  title  = "Stockfish 16.1",
  source = "official-stockfish/Stockfish, src/timeman.cpp 50-124, commit e67cc979 (2024-02-24)",
  unit   = "ms",
  params = {
    overhead  = { 10, min = 0, max = 5000, time = true, help = "Move Overhead" },
    nodestime = { 0, min = 0, max = 10000, help = "nodes per ms that stand for time; 0: off" },
    internal  = { 3.56, min = 1, max = 5, help = "the engine's score units in a centipawn (guess)" },
  },
  budget = function(c, p, g)
    local time, inc, over, npm = trunc(c.time), trunc(c.inc), p.overhead, max(1, p.nodestime)
    if time == 0 then
      return huge, huge -- the engine sets no limits, or keeps stale ones
    end
    g.inc = inc * npm
    if p.nodestime > 0 then
      if (g.avail or 0) == 0 then
        g.avail = npm * time
      end
      time, inc = g.avail, inc * npm
    end
    g.changes = 0
    local m = c.movestogo or 0
    local horizon = 50
    if m ~= 0 then
      horizon = min(m, 50)
    end
    local left = max(1, time + inc * (horizon - 1) - over * (2 + horizon))
    local scale, most
    if m == 0 then
      local extra = clamp(1 + 12.5 * inc / time, 1, 1.11)
      local magnitude = log10(time / 1000)
      local rise = min(0.00334 + 0.0003 * magnitude, 0.0049)
      scale = min(0.0120 + pow(c.ply + 3.1, 0.44) * rise, 0.21 * time / left) * extra
      most = min(6.9, max(3.4 + 3.0 * magnitude, 2.76) + c.ply / 12.2)
    else
      scale = min((0.88 + c.ply / 116.4) / horizon, 0.88 * time / left)
      most = min(6.3, 1.5 + 0.11 * horizon)
    end
    local soft = i64(scale * left)
    local hard = i64(min(0.84 * time - over, most * soft)) - 10
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
    local falling = clamp((66 + 14 * (before - score) + 6 * (four - score)) / 616.6, 0.51, 1.51)
    g.tau = when(s.last_change + 8 < s.depth, 1.56, 0.69)
    local reduction = (1.4 + (g.tau_before or 0.85)) / (2.17 * g.tau)
    local total = b.soft * falling * reduction * (1 + 1.79 * g.changes)
    if s.legal == 1 then
      total = min(500, total)
    end
    if s.depth >= 10 and s.share >= 0.95 then
      total = 0.75 * total
    end
    return total
  end,
  finish = function(s, g, p)
    g.tau_before = g.tau
    if p.nodestime > 0 and g.avail then
      g.avail = g.avail - (s.nodes - g.inc)
    end
  end,
}
