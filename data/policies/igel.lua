-- Only an eighth of the increment enters soft, so the clock grows. hard is not held below the clock. A negative clock
-- is a large unsigned one. The bonus looks at the opponent's clock.
return policy {
  name   = "igel",
  title  = "Igel, August 2026",
  source = "vshcherbyna/igel, src/time.cpp 125-265 and src/search.cpp 1165-1211, commit dade63d4",
  unit   = "ms",
  budget = function(c, p, g)
    local time, inc, opp, m = u32(c.time), u32(c.inc), u32(c.opp_time), c.movestogo or 0
    if time > 200 then
      time = time - 100
    end
    g.factor = 1
    local bonus = 0
    if opp > 0 and time > opp and idiv(time, opp) <= 5 then
      bonus = idiv(time - opp, 10)
    end
    local hard
    if m == 0 then
      hard = idiv(time, 13) + idiv(inc, 2)
      if inc == 0 then
        return idiv(hard, 6), hard
      end
      hard = hard + bonus
      return idiv(hard, 4), hard
    end
    hard = idiv(time, m) + idiv(inc, 2) + bonus
    if m == 1 then
      hard = idiv(hard, 2)
    else
      hard = trunc(hard * 1.5)
    end
    hard = min(hard, time)
    return idiv(hard, 2), hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.depth >= 8 and s.drop > 0 then
      g.factor = g.factor * min(1 + s.drop / 80, 1.5)
    end
    return min(b.soft * g.factor, b.hard) * (130 - 5 * min(10, s.stable)) / 100
  end,
}
