-- The target is one of ten steps: the last after a change of the best move, one less whenever it is confirmed.
-- The engine counts pieces on their home ranks to know the opening, which a policy cannot see.
local function target(g)
  return trunc(min(g.avail, g.tau * (0.5 + 0.7 * g.step / 9) * g.ponder))
end

return policy {
  name   = "xiphos",
  title  = "Xiphos, August 2021",
  source = "milostatarevic/xiphos, src/uci.c 190-290 and src/search.c 523-531, commit 16e73a51",
  unit   = "ms",
  params = {
    opening = { -1, min = -1, max = 1, help = "1: halve, as in the opening; 0: do not; -1: while the ply is below 16 (guess)" },
  },
  budget = function(c, p, g)
    local time, inc, m = trunc(c.time), trunc(c.inc), c.movestogo or 0
    g.avail = max(time - (min(idiv(5 * time, 100), 1000) + 150), 1)
    local moves = 25
    if m ~= 0 then
      moves = min(m, 25)
    end
    g.tau = idiv(g.avail, moves) + inc
    if p.opening == 1 or (p.opening == -1 and c.ply < 16) then
      g.tau = idiv(g.tau, 2)
    end
    g.step = g.step or 0
    g.ponder = when(c.ponder, 1.25, 1)
    local soft = target(g)
    return soft, min(g.avail, idiv(g.avail, min(moves, 3)) + inc)
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.step = when(s.changed, 9, max(0, g.step - 1))
    if s.depth < 4 then
      return huge
    end
    return target(g) * clamp(1 + s.drop / 80, 1, 2)
  end,
  finish = function(s, g, p)
    g.step = 0
  end,
}
