-- No constant but the floor: the same shape at every time control. The cap binds below four increments.
return policy {
  name   = "min40_4",
  title  = "A fortieth of the clock, at most a quarter",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b",
  unit   = "s",
  budget = function(c, p, g)
    local think = min(c.time / 40 + 0.9 * c.inc, c.time / 4)
    return 0.8 * think, think
  end,
  floor = { soft = 0.8 * 0.05, hard = 0.05 },
  stop  = "event",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
