-- Reads the clock and the moves that the control began with. A quotient of 0 becomes 5 cs, so that less clock can
-- give more time. Inside an iteration the engine also looks at its clock between events; here it is read at them.
return policy {
  name   = "crafty",
  title  = "Crafty 25",
  source = "MartinMSPedersen/Crafty-Chess, source/time.c 104-374 and source/utility.c 371-463, commit 98b5f4a1 (2020)",
  unit   = "cs",
  params = {
    safety = { 0, min = 0, max = 100000, time = true, help = "reserve; a sixth of the base by one command, 0 by another" },
  },
  budget = function(c, p, g)
    g.time, g.difficulty, g.depth, g.changes, g.lows, g.stable = c.time, 100, 0, 0, 0, 0
    local time, inc, m = floor(c.time + 0.5), floor(c.inc + 0.5), c.movestogo or 0 -- whole centiseconds arrive
    local free, surplus, limit = time - p.safety, 0, 0
    if m ~= 0 then
      local moves = c.period_moves or m
      local standard = idiv(c.period_base - p.safety, moves)
      surplus = max(free - standard * m, 0)
      local average = idiv(free + m * inc, m)
      limit = min(average, when(surplus < p.safety, standard, 2 * standard), idiv(3 * c.period_base, moves))
    else
      limit = idiv(free, when(c.ponder, 20, 26)) + inc
    end
    if inc > 200 and c.moves < 2 then
      limit = trunc(limit * 1.2)
    end
    if limit <= 0 then
      limit = 5
    end
    local hard = min(limit + idiv(surplus, 2) + idiv(free, 4), 5 * limit, idiv(time, 2))
    return max(1, min(limit, hard)), hard
  end,
  stop  = "event",
  limit = function(s, b, p, g)
    if s.legal == 1 then
      return min(b.soft, 100)
    end
    if s.depth ~= g.depth then
      g.depth, g.changes, g.lows = s.depth, 0, 0
    end
    if s.fail_low > g.lows then
      g.difficulty = max(100, g.difficulty)
    end
    if s.changes > g.changes then -- another root move failed high
      g.difficulty = when(g.difficulty < 100, 120, g.difficulty + 20)
    end
    local finished = s.stable > g.stable or (s.stable == 0 and s.last_change == s.depth)
    if s.stable > g.stable then
      g.difficulty = 0.9 * g.difficulty
    end
    g.difficulty = clamp(g.difficulty, 60, 200)
    g.changes, g.lows, g.stable = s.changes, s.fail_low, s.stable
    local target = b.soft * g.difficulty / 100
    if not finished and (s.fail_low > 0 or s.changes > 0) then
      return max(target, g.time - 300) -- goes on while 3 s are left
    end
    return target
  end,
}
