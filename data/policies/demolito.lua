-- One live deadline between two ends, moved by how much the principal variation varies; that part is not modelled,
-- the deadline stays in the middle.
return policy {
  name   = "demolito",
  title  = "Demolito, April 2025",
  source = "lucasart/Demolito, src/search.c 578-616, commit cff89c7b",
  unit   = "ms",
  params = {
    overhead = { 60, min = 0, max = 5000, time = true, help = "Time Buffer" },
  },
  budget = function(c, p, g)
    local time, inc, m = trunc(c.time), trunc(c.inc), c.movestogo or 0
    if time == 0 and inc == 0 then
      return huge, huge
    end
    local moves = 26
    if m ~= 0 then
      moves = m
    end
    local left = time + (moves - 1) * inc - idiv(moves * p.overhead, 2)
    local low = min(idiv(trunc(0.57 * left), moves), time - p.overhead)
    local high = min(idiv(trunc(2.23 * left), moves), time - p.overhead)
    local share = sigmoid(g.variability or 0)
    return trunc(share * high + (1 - share) * low), high
  end,
  stop  = "event",
  hooks = "missing",
}
