-- Both limits are negative below the overhead, whatever the increment. movestogo 0 counts as given.
return policy {
  name   = "ethereal",
  title  = "Ethereal, June 2024",
  source = "AndyGrant/Ethereal, src/timeman.c 49-130, commit 0e47e9b6",
  unit   = "ms",
  params = {
    overhead = { 300, min = 0, max = 5000, time = true, help = "MoveOverhead" },
  },
  budget = function(c, p, g)
    local time = c.time - p.overhead
    local m = c.movestogo or -1
    local soft, hard
    if m >= 0 then
      soft = 1.8 * time / (m + 5) + c.inc
      hard = 10 * time / (m + 10) + c.inc
    else
      soft = 2.5 * (time + 25 * c.inc) / 50
      hard = 10 * (time + 25 * c.inc) / 50
    end
    return min(soft, time), min(hard, time)
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.depth < 4 then
      return huge
    end
    local steady = 1.2 - 0.04 * min(10, s.stable)
    local drop = clamp(0.05 * ((s.scores[3] or s.score) - s.score), 0.75, 1.25)
    return b.soft * steady * drop * max(0.5, 2 * (1 - s.share) + 0.4)
  end,
  min_depth = 1,
}
