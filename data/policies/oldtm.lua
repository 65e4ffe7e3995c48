-- legacy12 as it was shipped in the packed program: milliseconds, a floor of 50 ms, movestogo not read.
return policy {
  name   = "oldtm",
  title  = "A twelfth of the clock with a floor of 50 ms",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b",
  unit   = "ms",
  budget = function(c, p, g)
    local think = min(c.time / 12 + 0.9 * c.inc, c.time / 2 - 1000)
    return 0.8 * think, think
  end,
  floor = { soft = 0.8 * 50, hard = 50 },
  stop  = "event",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
