-- Twice the increment is spent at each move. movestogo 0 kills the engine by a division, which is a fault here.
return policy {
  name   = "koivisto",
  title  = "Koivisto, February 2023",
  source = "Luecx/Koivisto, src_files/timemanager.cpp 98-142 and 215-279, commit 6de225ad",
  unit   = "ms",
  params = {
    overhead = { 0, min = 0, max = 5000, time = true, help = "Move Overhead, of the type PerMove" },
  },
  budget = function(c, p, g)
    local time, inc, moves = trunc(c.time), trunc(c.inc), c.movestogo or 20
    local spare = when(eq(inc, 0), 50, 0)
    if time < 1000 and inc == 0 then
      time = trunc(0.7 * time)
    end
    local hard = trunc(time / 2)
    local soft = 2 * inc + idiv(2 * time, moves)
    local most = time - spare - inc
    return max(10, min(soft, most) - p.overhead), max(10, min(hard, most) - p.overhead)
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.legal == 1 then
      return 0
    end
    local nodes = 110 - min(floor(100 * s.share), 90)
    local fall = clamp(50 + (s.prev_score - s.score), 50, 80)
    return idiv(idiv(b.soft * nodes, 100) * fall, 65)
  end,
}
