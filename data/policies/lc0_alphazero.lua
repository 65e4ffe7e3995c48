-- A fixed share of the clock; increment and movestogo are not read.
return policy {
  name   = "lc0_alphazero",
  title  = "Lc0, alphazero",
  source = "LeelaChessZero/lc0, src/search/classic/stoppers, commit 909a4082 (2026-04)",
  unit   = "ms",
  params = {
    overhead = { 200, min = 0, max = 100000, time = true, help = "MoveOverheadMs" },
    percent  = { 12, min = 0, max = 100, help = "share of the clock" },
  },
  budget = function(c, p, g)
    local think = trunc((trunc(c.time) - p.overhead) * p.percent / 100)
    return think, think
  end,
  stop = "event",
}
