-- Nothing to spend below 1.0526 s, whatever the increment. The rule for an easy move needs a second best score and is
-- left out.
return policy {
  name   = "fruit_2_1",
  title  = "Fruit 2.1",
  source = "seungjlee/Fruit-2.1, src/protocol.cpp 366-405 and src/search.cpp 201-281, commit fcb25d03",
  unit   = "s",
  budget = function(c, p, g)
    if c.time < 0 then
      return huge, huge
    end
    local moves = 30
    if c.movestogo and c.movestogo > 0 and c.movestogo <= 30 then
      moves = c.movestogo
    end
    local most = max(0, c.time * 0.95 - 1)
    local soft = (most + c.inc * (moves - 1)) / moves
    if c.ponder then
      soft = soft * 1.25
    end
    soft = min(soft, most)
    return soft, min(max((most + c.inc * (moves - 1)) / 2, soft), most)
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    if s.drop >= 50 then
      return huge
    end
    return b.soft * when(s.changed, 1, 0.6)
  end,
}
