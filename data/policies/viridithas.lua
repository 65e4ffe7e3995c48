-- Without increment a clock below 720 ms makes the unsigned share wrap, and soft jumps from 0 to almost half of the
-- clock. Both limits move with the search.
return policy {
  name   = "viridithas",
  title  = "Viridithas, August 2026",
  source = "cosmobobak/viridithas, src/timemgmt.rs 15-130 and 359-472, commit 8bc07064",
  unit   = "ms",
  params = {
    overhead = { 30, min = 0, max = 5000, time = true, help = "a constant in the engine" },
  },
  budget = function(c, p, g)
    local time, inc = max(0, trunc(c.time)), max(0, trunc(c.inc))
    local most = max(0, floor(0.6 * time) - p.overhead)
    local hard = min(floor(0.46 * time), most)
    g.most, g.hard, g.fails = most, hard, 0
    if c.movestogo then
      local share = idiv(time, clamp(c.movestogo, 2, 24))
      g.soft = floor(0.73 * min(share, most))
      return g.soft, hard, most
    end
    local share = i64(idiv(time, 24)) + i64(0.94 * inc) - i64(p.overhead)
    if share < 0 then
      share = share + 18446744073709551616.0 -- as an unsigned number
    end
    g.soft = min(floor(0.73 * min(share, most)), hard)
    return g.soft, hard, most
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    local steady = { 2.50, 1.20, 0.90, 0.80, 0.75 }
    g.fails = g.fails + s.fail_low
    local forced = when(s.legal == 1, 0.01, 1) -- without the weaker grades of forced moves
    local factor = steady[min(4, s.stable) + 1] * (1 + 0.34 * min(2, g.fails)) * forced * (1.62 - s.share) * 1.4
    return min(g.soft * factor, g.most), min(g.hard * factor, g.most)
  end,
}
