-- The divisor jumps from 40 to 12 when there is any increment at all.
return policy {
  name   = "steptm",
  title  = "A fortieth without increment, a twelfth with one",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b",
  unit   = "ms",
  budget = function(c, p, g)
    local divisor = when(eq(c.inc, 0), 40, 12)
    local think = min(c.time / divisor + 0.9 * c.inc, c.time / 2 - 1000)
    return 0.8 * think, think
  end,
  floor = { soft = 0.8 * 50, hard = 50 },
  stop  = "event",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
