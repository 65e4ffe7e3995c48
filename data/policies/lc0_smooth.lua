-- Puts aside a share of each move in a piggy bank, which a search that is in doubt may take. g keeps the bank and the
-- running average of how much of its time a move uses. Of the tree 0.52 is taken to be kept from move to move, and
-- none to be there yet; the speed of the search cancels out.
local median, steepness = f32(45.2), f32(5.93)

local function moves_left(ply)
  local far = f32(pow(f32(ply / 2 / median), steepness))
  return f32(f32(median * f32(pow(f32(1 + f32(2 * far)), f32(1 / steepness)))) - ply / 2)
end

return policy {
  name   = "lc0_smooth",
  title  = "Lc0, smooth",
  source = "LeelaChessZero/lc0, src/search/classic/stoppers/smooth.cc 272-490, commit 909a4082 (2026-04)",
  unit   = "ms",
  params = {
    overhead = { 200, min = 0, max = 100000, time = true, help = "MoveOverheadMs" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    g.piggy = g.piggy or trunc(0.09 * time)
    g.timeuse = g.timeuse or 0.7
    local moves = moves_left(c.ply)
    if c.movestogo and c.movestogo > 0 and c.movestogo < moves then
      moves = c.movestogo
    end
    local later = inc * (moves - 1) - p.overhead
    local most_piggy = trunc(f32(36.5 * max(0, time + later) / moves))
    g.piggy = min(g.piggy, most_piggy)
    g.average = f32(f32(max(0, time - g.piggy + later)) / moves)
    local gross = f32(g.average / f32(1 - f32(0.52)))
    local to_piggy = f32(max(0, min(most_piggy - g.piggy, f32(0.12) * gross)))
    local wall = max(0, time - p.overhead)
    local share = f32(f32(gross - to_piggy) / f32(g.timeuse))
    g.alloc = f32(max(0, min(share, f32(0.42) * time, wall)))
    local extra = min(trunc(0.94 * g.piggy), time - p.overhead - g.alloc)
    g.piggy = trunc(g.piggy + to_piggy)
    return trunc(g.alloc), trunc(g.alloc + extra)
  end,
  stop = "event",
  finish = function(s, g, p)
    local over = s.elapsed - g.alloc
    if over > 0 then
      g.piggy = max(0, g.piggy - over)
    end
    local used = 1
    if over <= 0 and g.alloc > 0 then
      used = s.elapsed / g.alloc
    end
    g.timeuse = max(0.34, g.timeuse + (used - g.timeuse) * (1 - pow(0.5, 1 / 5.51)))
  end,
}
