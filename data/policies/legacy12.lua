-- The manager that sunfish had for years. Its cap, half of the clock minus one second, is negative below two
-- seconds: with an increment it parks just above them, without one it plays unsearched moves.
return policy {
  name   = "legacy12",
  title  = "A twelfth of the clock, at most half of it minus one second",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b; ramp: sunfish_ui/uci.py",
  unit   = "s",
  params = {
    ramp = { 0, min = 0, max = 1, help = "1: the first eight plies think at most ply + rand seconds" },
  },
  budget = function(c, p, g)
    local share
    if c.movestogo and c.movestogo ~= 0 then
      share = c.time / c.movestogo + c.inc
    else
      share = c.time / 12 + 0.9 * c.inc
    end
    local think = min(share, c.time / 2 - 1)
    if p.ramp >= 0.5 and c.ply < 8 then
      think = min(think, c.ply + c.rand)
    end
    return think * 2 / 3, think
  end,
  stop = "event",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
