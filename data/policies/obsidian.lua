-- hard is no multiple of soft, but nearly the whole clock. A clock of exactly 0 sets no limits.
return policy {
  name   = "obsidian",
  title  = "Obsidian, June 2025",
  source = "gab8192/Obsidian, src/timeman.cpp 11-34 and src/search.cpp 1371-1471, commit 44239cc3",
  unit   = "ms",
  params = {
    overhead = { 10, min = 0, max = 5000, time = true, help = "Move Overhead" },
  },
  budget = function(c, p, g)
    local time, inc, m = trunc(c.time), trunc(c.inc), c.movestogo or 0
    if time == 0 then
      return huge, huge
    end
    local moves = 50
    if m ~= 0 then
      moves = min(m, 50)
    end
    local left = max(1, time + inc * (moves - 1) - p.overhead * (2 + moves))
    local scale
    if m == 0 then
      scale = min(0.025, 0.214 * time / left)
    else
      scale = min(0.95 / moves, 0.88 * time / left)
    end
    return trunc(scale * left), trunc(0.8 * time - p.overhead)
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.legal == 1 then
      return min(200, b.soft)
    elseif s.depth < 4 then
      return huge
    end
    local before = s.prev_move_score or s.score
    local fall = clamp(0.86 + 0.01 * (s.prev_score - s.score) + 0.025 * (before - s.score), 0.81, 1.5)
    return b.soft * (0.63 + 2 * (1 - s.share)) * (1.71 - 0.08 * min(8, s.stable)) * fall
  end,
}
