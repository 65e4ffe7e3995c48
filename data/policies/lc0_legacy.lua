-- The first move of a game gets 2.8 to 5.8 times its share. The overhead is taken once, not for every move to come.
-- What a move did not use is given to the next.
local median, steepness = f32(51.5), f32(7)

local function moves_left(ply)
  local far = f32(pow(f32(ply / 2 / median), steepness))
  return f32(f32(median * f32(pow(f32(1 + f32(2 * far)), f32(1 / steepness)))) - ply / 2)
end

return policy {
  name   = "lc0_legacy",
  title  = "Lc0, legacy",
  source = "LeelaChessZero/lc0, src/search/classic/stoppers/legacy.cc 100-170, commit 909a4082 (2026-04)",
  unit   = "ms",
  params = {
    overhead = { 200, min = 0, max = 100000, time = true, help = "MoveOverheadMs" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    local moves = moves_left(c.ply)
    if c.movestogo and c.movestogo > 0 and c.movestogo < moves then
      moves = c.movestogo
    end
    local all = max(0, f32(time + inc * (moves - 1) - p.overhead))
    local spared = max(0, g.spared or 0)
    all = max(0, all - spared)
    g.spared = min(0, g.spared or 0)
    local think = f32(all / moves)
    if not g.started then
      think = f32(think * f32(1 + 1.8 + 0.25 * min(12, c.ply)))
      g.started = true
    end
    g.deadline = min(trunc(think + spared), time - p.overhead)
    return g.deadline, g.deadline
  end,
  stop = "event",
  finish = function(s, g, p)
    g.spared = g.spared + g.deadline - s.elapsed
  end,
}
