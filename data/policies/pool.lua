-- What is left over `moves` moves, increments included and the lag of each reserved, is a pool; each move may use
-- its share. Without increment the pool is empty below (moves + 2) * overhead: 8.4 seconds on the clock and
-- nothing to spend but the floor.
return policy {
  name   = "pool",
  title  = "Spread what is left over M moves, with the lag reserved",
  source = "thomasahle/sunfish, tools/ctwin/tmlib.py, commit a8feb637aac7bb5c231c9d2e7bf9c96aab67ff1b; sunfish_ui/uci.py 101-219",
  unit   = "s",
  params = {
    moves    = { 40, min = 2, max = 100, help = "own moves the pool is spread over" },
    phase_m  = { 0, min = 0, max = 1, help = "1: that number falls with the ply, 46 - ply/2, at least 20" },
    scale    = { 1, min = 0.1, max = 3, help = "factor on each move's share" },
    overhead = { 0.2, min = 0, max = 5, time = true, help = "lag reserved for each move" },
    dynamic  = { 0, min = 0, max = 1, help = "1: stability and score drops move the soft limit" },
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
  stop  = "iteration",
  abort = "finished", -- a best move of an iteration that has not converged is only a candidate there
  limit = function(s, b, p, g)
    if p.dynamic < 0.5 then
      return b.soft
    end
    local calm = clamp(1.15 - 0.08 * s.stable, 0.65, 1.15)
    local turn = when(s.changed, 1.35, 1)
    local fall = 1
    if not (s.mate or s.prev_mate) then
      fall = clamp(1 + s.drop / 200, 1, 1.75)
    end
    return b.soft * calm * turn * fall
  end,
}
