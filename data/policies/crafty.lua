-- Reads the clock and the moves that the control began with. A quotient of 0 becomes 5 cs, so that less clock can
-- give more time. The rules inside an iteration (first root move, failing low) are not modelled.
return policy {
  name   = "crafty",
  title  = "Crafty 25",
  source = "MartinMSPedersen/Crafty-Chess, source/time.c 104-374 and source/utility.c 371-463, commit 98b5f4a1 (2020)",
  unit   = "cs",
  params = {
    safety = { 0, min = 0, max = 100000, time = true, help = "reserve; a sixth of the base by one command, 0 by another" },
  },
  budget = function(c, p, g)
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
  stop  = "iteration",
  hooks = "missing",
}
