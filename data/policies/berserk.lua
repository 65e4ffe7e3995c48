-- Fifty overheads are kept back: below 2.52 s without increment soft is 0 and hard negative.
-- A clock of exactly -1 ms means "no clock" to the engine, which then searches without limits.
return policy {
  name   = "berserk",
  title  = "Berserk, June 2025",
  source = "jhonnold/berserk, src/uci.c 84-198 and src/search.c 325-357, commit 19f96bde",
  unit   = "ms",
  params = {
    overhead = { 50, min = 0, max = 10000, time = true, help = "MoveOverhead" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    if time == -1 then
      return huge, huge
    end
    local soft, hard
    if c.movestogo then
      local m = clamp(c.movestogo, 1, 50)
      local total = max(1, time + m * inc - p.overhead)
      soft = trunc(min(0.9 * time, 0.9 * total / max(1, m / 2.5)))
      hard = trunc(min(0.8 * time - p.overhead, 5.5 * soft) - 10)
    else
      local total = max(1, time + 50 * inc - 50 * p.overhead)
      soft = trunc(min(0.4193 * time, 0.0575 * total))
      hard = trunc(min(0.9221 * time - p.overhead, 5.9280 * soft) - 10)
    end
    if c.legal == 1 then
      hard = min(250, hard)
    end
    return soft, hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.depth < 5 then
      return huge
    end
    local steady = 1.3110 - 0.0533 * min(10, s.stable)
    local since_three = max(0, (s.scores[3] or s.score) - s.score)
    local since_move = max(0, (s.prev_move_score or s.score) - s.score)
    local fall = clamp(0.1127 + 0.0262 * since_three + 0.0261 * since_move, 0.5028, 1.6561)
    return b.soft * steady * fall * max(0.5630, 2.2669 * (1 - s.share) + 0.4499)
  end,
}
