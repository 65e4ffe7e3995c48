-- A clock of exactly 0 sets no limits. Soft also steers the search in the engine; that part is not modelled.
return policy {
  name   = "weiss",
  title  = "Weiss, August 2026",
  source = "TerjeKir/weiss, src/time.c 25-78 and src/search.c 726-760, commit 60c51374",
  unit   = "ms",
  params = {
    overhead = { 6, min = 0, max = 5000, time = true, help = "a constant in the engine" },
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
    local left = max(0, time + moves * (inc - p.overhead))
    local soft
    if m == 0 then
      soft = trunc(min(0.022 * left, 0.2 * time))
    else
      soft = trunc(min(0.7 / moves * left, 0.8 * time))
    end
    return soft, trunc(min(5 * soft, 0.8 * time))
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    local soft = b.soft
    if s.legal == 1 then
      soft = min(500, soft)
    end
    return soft * (0.52 + 3.73 * (1 - s.share)) -- without the engine's "uncertain"
  end,
  min_depth = 1,
}
