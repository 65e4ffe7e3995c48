-- What is left is 1 ms below 52 overheads without increment. The engine's polls see the hard limit 10 ms early.
-- A clock of 0 makes NaN, which as an integer is the least: the search ends at once.
return policy {
  name   = "sf_15",
  title  = "Stockfish 15",
  source = "official-stockfish/Stockfish, src/timeman.cpp and src/search.cpp, commit e6e324eb (2022-04-18)",
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
    local extra = clamp(1 + 12 * inc / time, 1, 1.12)
    left = idiv(p.slow * left, 100)
    local scale, most
    if m == 0 then
      scale = min(0.0084 + pow(c.ply + 3, 0.5) * 0.0042, 0.2 * time / left) * extra
      most = min(7, 4 + c.ply / 12)
    else
      scale = min((0.88 + c.ply / 116.4) / horizon, 0.88 * time / left)
      most = min(6.3, 1.5 + 0.11 * horizon)
    end
    local soft = i64(scale * left)
    local hard = i64(min(0.8 * time - p.overhead, most * soft))
    if c.ponder then
      soft = soft + idiv(soft, i64(4))
    end
    return soft, hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.changes = g.changes / 2 + s.changes
    local score = s.score * p.internal
    local before = (s.prev_move_score or 10000) * p.internal
    local four = (s.scores[4] or s.prev_move_score or 0) * p.internal
    local falling = clamp((69 + 12 * (before - score) + 6 * (four - score)) / 781.4, 0.5, 1.5)
    g.tau = when(s.last_change + 10 < s.depth, 1.63, 0.73)
    local reduction = (1.56 + (g.tau_before or 0.85)) / (2.20 * g.tau)
    local unstable = 1.073 + max(1, 2.25 - 9.9 / s.depth) * g.changes
    local total = b.soft * falling * reduction * unstable -- without the factor from the position's complexity
    if s.legal == 1 then
      total = min(500, total)
    end
    return total
  end,
  finish = function(s, g, p)
    g.tau_before = g.tau
  end,
}
