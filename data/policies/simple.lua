return policy {
  name   = "simple",
  title  = "A fortieth of the clock to start work, a quarter as the wall",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b",
  unit   = "s",
  budget = function(c, p, g)
    local hard = c.time / 4
    return min(c.time / 40 + 0.9 * c.inc, hard), hard
  end,
  floor = 0.05,
  stop  = "iteration",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
