-- steptm without its jump: the divisor slides from 40 to 12 as the increment grows, and the cap bends instead of
-- becoming negative.
return policy {
  name   = "smooth",
  title  = "A divisor that slides from 40 to 12 with the increment",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b",
  unit   = "ms",
  budget = function(c, p, g)
    local share = c.time * (1000 + 20 * c.inc) / (40000 + 240 * c.inc) + 0.9 * c.inc
    local think = min(share, c.time * c.time / (2 * c.time + 4000))
    return 0.8 * think, think
  end,
  floor = { soft = 0.8 * 50, hard = 50 },
  stop  = "event",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
