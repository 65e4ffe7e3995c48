-- Keeps eight seconds back and has no cap: with a large increment the wall lies beyond the clock.
return policy {
  name   = "onemax",
  title  = "A fortieth of what exceeds eight seconds, plus the increment",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b",
  unit   = "ms",
  budget = function(c, p, g)
    local think = (c.time - 8000) / 40 + c.inc
    return 0.8 * think, think
  end,
  floor = { soft = 0.8 * 50, hard = 50 },
  stop  = "event",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
