return policy {
  name   = "cfish",
  title  = "Cfish 2025",
  source = "syzygy1/Cfish, src/timeman.c 35-98 and src/search.c 586-629, commit d77dd434 (2025)",
  unit   = "ms",
  params = {
    overhead = { 10, min = 0, max = 5000, time = true, help = "Move Overhead" },
    slow     = { 100, min = 10, max = 1000, help = "Slow Mover, percent" },
    internal = { 2.08, min = 1, max = 5, help = "the engine's score units in a centipawn (guess)" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    local m = c.movestogo or 0
    g.changes = 0
    local horizon = 50
    if m ~= 0 then
      horizon = min(m, 50)
    end
    local left = max(1, time + inc * (horizon - 1) - p.overhead * (2 + horizon))
    left = idiv(p.slow * left, 100)
    local scale, most
    if m == 0 then
      scale = min(0.0084 + pow(c.ply + 3, 0.5) * 0.0042, 0.2 * time / left)
      most = min(7, 4 + c.ply / 12)
    else
      scale = min((0.8 + c.ply / 120) / horizon, 0.8 * time / left)
      most = min(6.3, 1.5 + 0.11 * horizon)
    end
    local soft = trunc(scale * left)
    local hard = trunc(min(0.8 * time - p.overhead, most * soft))
    if c.ponder then
      soft = soft + idiv(soft, 4)
    end
    return soft, hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.changes = g.changes / 2 + s.changes
    local score = s.score * p.internal
    local before = (s.prev_move_score or 10000) * p.internal
    local four = (s.scores[4] or s.prev_move_score or 0) * p.internal
    local falling = clamp((318 + 6 * (before - score) + 6 * (four - score)) / 825, 0.5, 1.5)
    g.tau = when(s.last_change + 9 < s.depth, 1.92, 0.95)
    local reduction = (1.47 + (g.tau_before or 0.85)) / (2.32 * g.tau)
    local total = b.soft * falling * reduction * (1 + 2 * g.changes)
    if s.legal == 1 then
      total = min(500, total)
    end
    return total
  end,
  finish = function(s, g, p)
    g.tau_before = g.tau
  end,
}
