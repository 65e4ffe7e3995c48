-- One deadline. A correction for short thinks has steps: more clock gives less time at 200, 400 and 1200 ms.
-- movestogo 0 kills the engine by a division, which is a fault here; a negative clock sets no limit.
return policy {
  name   = "rodent_iii",
  title  = "Rodent III, August 2019",
  source = "nescitus/Rodent_III, sources/src/uci.cpp 176-295, commit 93b09633",
  unit   = "ms",
  params = {
    overhead = { 10, min = 0, max = 5000, time = true, help = "Time Buffer" },
    slow     = { 100, min = 10, max = 500, help = "SlowMover, percent" },
  },
  budget = function(c, p, g)
    local time, inc, moves = trunc(c.time), trunc(c.inc), c.movestogo or 40
    if time < 0 then
      return huge, huge
    end
    if moves == 1 then
      time = time - min(1000, idiv(time, 10))
    end
    local think = idiv(time + inc * (moves - 1), moves)
    if 2 * think > time then
      think = idiv(think * p.slow, 100)
    end
    think = max(0, min(think, time) - p.overhead)
    if think < 200 then
      think = idiv(think * 23, 32)
    elseif think < 400 then
      think = idiv(think * 26, 32)
    elseif think < 1200 then
      think = idiv(think * 29, 32)
    end
    return think, think
  end,
  stop = "event",
}
