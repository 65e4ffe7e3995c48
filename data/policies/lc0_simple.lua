-- A share that grows with the ply, one and a half increments, and what the last move left. movestogo is not read.
-- A clock of 0 makes NaN, which as an integer is the least: the search ends at once.
return policy {
  name   = "lc0_simple",
  title  = "Lc0, simple",
  source = "LeelaChessZero/lc0, src/search/classic/stoppers/simple.cc 74-126, commit 909a4082 (2026-04)",
  unit   = "ms",
  params = {
    overhead = { 200, min = 0, max = 100000, time = true, help = "MoveOverheadMs" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    local avail = time - p.overhead
    local share = f32(f32(f32(1.4) + f32(f32(0.049) * c.ply)) * f32(0.01))
    local percent = f32(share + f32(f32(1.5 * inc) / time))
    local saved = 0
    if (g.prev_b or 0) ~= 0 then
      saved = max(0, g.prev_b - (g.prev_a - (avail - inc)))
    end
    g.prev_b = f32(min(f32(f32(avail * percent) + f32(saved)), avail))
    g.prev_a = f32(avail)
    return i64(g.prev_b), i64(g.prev_b)
  end,
  stop = "event",
}
