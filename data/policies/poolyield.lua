-- The numbers of pool, read at every event instead of at finished iterations.
return policy {
  name   = "poolyield",
  title  = "pool, read at every event",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b; sunfish_ui/uci.py 101-219",
  unit   = "s",
  params = {
    moves    = { 40, min = 2, max = 100, help = "own moves the pool is spread over" },
    phase_m  = { 0, min = 0, max = 1, help = "1: that number falls with the ply, 46 - ply/2, at least 20" },
    scale    = { 1, min = 0.1, max = 3, help = "factor on each move's share" },
    overhead = { 0.2, min = 0, max = 5, time = true, help = "lag reserved for each move" },
  },
  budget = function(c, p, g)
    local control = c.movestogo and c.movestogo ~= 0
    local m = p.moves
    if control then
      m = clamp(c.movestogo, 1, 50)
    elseif p.phase_m >= 0.5 then
      m = max(20, 46 - c.ply / 2)
    end
    local pool  = max(0, c.time + (m - 1) * c.inc - (m + 2) * p.overhead)
    local avail = max(0, c.time - 2 * p.overhead)
    local share = p.scale * pool / m
    if control then
      local soft = min(0.85 * share, 0.85 * avail)
      return soft, min(5 * soft, 0.85 * avail)
    end
    local soft = min(share, avail / 4)
    return soft, min(5 * soft, avail / 2)
  end,
  floor = 0.05,
  stop  = "event",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
}
