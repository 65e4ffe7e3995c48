-- Takes the expected delay off every move. Without increment soft stays at its floor, 100 ms, below 12 seconds.
return policy {
  name   = "budget",
  title  = "A fortieth plus the increment minus the delay, five times that as the wall",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b",
  unit   = "ms",
  params = {
    delay = { 200, min = 0, max = 5000, time = true, help = "delay expected at each move" },
  },
  budget = function(c, p, g)
    local b = c.time / 40 + c.inc - p.delay
    return min(b, c.time / 4 - p.delay), min(5 * b, c.time / 2 - p.delay)
  end,
  floor = { soft = 100, hard = 200 },
  vectors = { overhead_s = "p.delay" },
  stop  = "iteration",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
