-- Arithmetic on quantities: a number with the power of time that it carries, 1 for a time, 2 for its square. A plain
-- number is a quantity of power 0; zero and infinity are of any power. Called by policy_quantity.c with the ordinary
-- functions, a function that sets a metatable, and one that notes the line of a mixture; returns the environment of a
-- policy and the constructor.
local base, set_metatable, note = ...
local type, huge = base.type, base.huge
local meta = {}

local function make(value, power)
  if power == 0 or value == 0 or value ~= value or value == huge or value == -huge then
    return value
  end
  return set_metatable({ value = value, power = power }, meta)
end

local function split(x)
  if type(x) == "table" then
    return x.value, x.power
  end
  return x, 0
end

local function any_power(x)
  return x == 0 or x == huge or x == -huge
end

-- Both values and the power that they have in common.
local function join(a, b, what)
  local x, p = split(a)
  local y, q = split(b)
  if p == q or any_power(y) then
    return x, y, p
  end
  if not any_power(x) then
    note(what, x, p, y, q)
  end
  return x, y, p == 0 and q or any_power(x) and q or p
end

local function joined(what, operate)
  return function(a, b)
    local x, y, power = join(a, b, what)
    return make(operate(x, y), power)
  end
end

meta.__add = joined("added", function(x, y) return x + y end)
meta.__sub = joined("subtracted", function(x, y) return x - y end)
meta.__mod = joined("divided", function(x, y) return x % y end)
meta.__unm = function(a) return make(-a.value, a.power) end
meta.__mul = function(a, b)
  local x, p = split(a)
  local y, q = split(b)
  return make(x * y, p + q)
end
meta.__div = function(a, b)
  local x, p = split(a)
  local y, q = split(b)
  return make(x / y, p - q)
end
meta.__idiv = function(a, b)
  local x, p = split(a)
  local y, q = split(b)
  return make(x // y, p - q)
end

local function compared(operate)
  return function(a, b)
    local x, y = join(a, b, "compared")
    return operate(x, y)
  end
end

meta.__lt = compared(function(x, y) return x < y end)
meta.__le = compared(function(x, y) return x <= y end)
meta.__eq = compared(function(x, y) return x == y end)

-- The one of two that `wins`; both must be comparable.
local function choose(a, b, wins)
  local x, y, power = join(a, b, "compared")
  if wins(x, y) then
    return make(y, power)
  end
  return make(x, power)
end

local function lower(x, y) return y < x end
local function higher(x, y) return x < y end

local function fold(wins)
  return function(...)
    local best
    for i, x in base.ipairs({ ... }) do
      best = i == 1 and x or choose(best, x, wins)
    end
    return best
  end
end

local function keeping(name)
  return function(a)
    local x, power = split(a)
    return make(base[name](x), power)
  end
end

-- Functions that a time has no business in.
local function bare(name)
  return function(a, ...)
    local x, power = split(a)
    if power ~= 0 then
      note(name, x, power, x, 0)
    end
    return base[name](x, ...)
  end
end

local environment = {
  min = fold(lower), max = fold(higher), exp = bare("exp"), log = bare("log"), log10 = bare("log10"),
  sigmoid = bare("sigmoid"), huge = huge, sec = base.sec, ms = base.ms, ipairs = base.ipairs, error = base.error,
  assert = base.assert, policy = base.policy,
}
for _, name in base.ipairs({ "abs", "floor", "ceil", "trunc", "f32", "i32", "u32", "i64", "u64" }) do
  environment[name] = keeping(name)
end
environment.clamp = function(x, low, high) return choose(choose(x, low, higher), high, lower) end
environment.lerp = function(a, b, t) return a + (b - a) * t end
environment.when = function(condition, a, b)
  if condition then
    return a
  end
  return b
end
environment.eq = function(a, b) return a == b end
environment.idiv = function(a, b)
  local x, p = split(a)
  local y, q = split(b)
  return make(base.idiv(x, y), p - q)
end
environment.sqrt = function(a)
  local x, power = split(a)
  return make(base.sqrt(x), power / 2)
end
environment.pow = function(a, b)
  local x, p = split(a)
  local y, q = split(b)
  if q ~= 0 then
    note("pow", y, q, y, 0)
  end
  return make(base.pow(x, y), p * y)
end
environment.type = function(x)
  if type(x) == "table" and x.power and x.value then
    return "number"
  end
  return type(x)
end

return environment, make
