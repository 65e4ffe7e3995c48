-- One live deadline between two ends, moved by how often the best move changed. The engine polls it every 6 ms; here
-- it is a wall that moves at events. Steps of the variability: src/uci.c at commit 0223da87, one thread.
return policy {
  name   = "demolito",
  title  = "Demolito, April 2025",
  source = "lucasart/Demolito, src/search.c 578-616, commit cff89c7b",
  unit   = "ms",
  params = {
    overhead = { 60, min = 0, max = 5000, time = true, help = "Time Buffer" },
  },
  budget = function(c, p, g)
    g.swing, g.depth, g.changes, g.stable = 1.1, 1, 0, 0 -- 0.5, and the first move counts as a change
    local time, inc, m = trunc(c.time), trunc(c.inc), c.movestogo or 0
    if time == 0 and inc == 0 then
      g.low, g.high = huge, huge
      return huge, huge
    end
    local moves = 26
    if m ~= 0 then
      moves = m
    end
    local left = time + (moves - 1) * inc - idiv(moves * p.overhead, 2)
    local low = min(idiv(trunc(0.57 * left), moves), time - p.overhead)
    local high = min(idiv(trunc(2.23 * left), moves), time - p.overhead)
    g.low, g.high = low, high
    local share = sigmoid(g.variability or 0)
    return trunc(share * high + (1 - share) * low), high
  end,
  stop  = "event",
  limit = function(s, b, p, g)
    if s.depth ~= g.depth then
      g.depth, g.changes = s.depth, 0
    end
    local finished = s.stable > g.stable or (s.stable == 0 and s.last_change == s.depth)
    if s.changes > g.changes then
      g.swing = g.swing + 0.6 * (s.changes - g.changes)
    elseif finished then
      g.swing = g.swing - 0.24
    end
    g.changes, g.stable = s.changes, s.stable
    local share = sigmoid(g.swing)
    return huge, trunc(share * g.high + (1 - share) * g.low)
  end,
  min_depth = 1,
}
