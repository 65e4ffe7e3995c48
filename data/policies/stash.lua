return policy {
  name   = "stash",
  title  = "Stash, June 2026",
  source = "mhouppin/stash-bot, sources/timeman.c 30-194, commit e1381ca6",
  unit   = "ms",
  params = {
    overhead = { 30, min = 1, max = 5000, time = true, help = "Move Overhead" },
  },
  budget = function(c, p, g)
    local m = c.movestogo or 0
    local moves = 40
    if m ~= 0 then
      moves = min(m, 100)
    end
    local time, inc = max(1, trunc(c.time) - p.overhead), max(0, trunc(c.inc))
    local average = idiv(time, moves) + inc
    local most = trunc(time / pow(moves, 0.4)) + inc
    if c.ponder then
      average = average + idiv(average, 4)
    end
    return min(average, time - 1), min(most, time - 1)
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    local steady = { 2.50, 1.20, 0.90, 0.80, 0.75 }
    local drop = clamp(s.prev_score - s.score, -100, 100)
    local forced = when(s.legal == 1, 0.2, 1)
    return min(b.hard, b.soft * steady[min(4, s.stable) + 1] * pow(2, drop / 100) * forced)
  end,
}
