-- Each coming move has an importance, read from a table of how many of 7780 games were still undecided after so many plies;
-- the share of this one is tried for every horizon up to 50 moves, and the smallest counts. Kept back are 0.2 s and 70 ms for
-- each of up to 40 moves, 3 s in all: below that it plays at 20 ms a move. Shares are float32, as there.
local undecided = {
  7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780, 7780,
  7780, 7780, 7780, 7780, 7778, 7778, 7776, 7776, 7776, 7773, 7770, 7768, 7766, 7763, 7757, 7751,
  7743, 7735, 7724, 7713, 7696, 7689, 7670, 7656, 7627, 7605, 7571, 7549, 7522, 7493, 7462, 7425,
  7385, 7350, 7308, 7272, 7230, 7180, 7139, 7094, 7055, 7010, 6959, 6902, 6841, 6778, 6705, 6651,
  6569, 6508, 6435, 6378, 6323, 6253, 6152, 6085, 5995, 5931, 5859, 5794, 5717, 5646, 5544, 5462,
  5364, 5282, 5172, 5078, 4988, 4901, 4831, 4764, 4688, 4609, 4536, 4443, 4365, 4293, 4225, 4155,
  4085, 4005, 3927, 3844, 3765, 3693, 3634, 3560, 3479, 3404, 3331, 3268, 3207, 3146, 3077, 3011,
  2947, 2894, 2828, 2776, 2727, 2676, 2626, 2589, 2538, 2490, 2442, 2394, 2345, 2302, 2243, 2192,
  2156, 2115, 2078, 2043, 2004, 1967, 1922, 1893, 1845, 1809, 1772, 1736, 1702, 1674, 1640, 1605,
  1566, 1536, 1509, 1479, 1452, 1423, 1388, 1362, 1332, 1304, 1289, 1266, 1250, 1228, 1206, 1180,
  1160, 1134, 1118, 1100, 1080, 1068, 1051, 1034, 1012, 1001, 980, 960, 945, 934, 916, 900, 888,
  878, 865, 852, 828, 807, 787, 770, 753, 744, 731, 722, 706, 700, 683, 676, 671, 664, 652, 641,
  634, 627, 613, 604, 591, 582, 568, 560, 552, 540, 534, 529, 519, 509, 495, 484, 474, 467, 460,
  450, 438, 427, 419, 410, 406, 399, 394, 387, 382, 377, 372, 366, 359, 353, 348, 343, 337, 333,
  328, 321, 315, 309, 303, 298, 293, 287, 284, 281, 277, 273, 265, 261, 255, 251, 247, 241, 240,
  235, 229, 218, 217, 213, 212, 208, 206, 197, 193, 191, 189, 185, 184, 180, 177, 172, 170, 170,
  170, 166, 163, 159, 158, 156, 155, 151, 146, 141, 138, 136, 132, 130, 128, 125, 123, 122, 118,
  118, 118, 117, 115, 114, 108, 107, 105, 105, 105, 102, 97, 97, 95, 94, 93, 91, 88, 86, 83, 80,
  80, 79, 79, 79, 78, 76, 75, 72, 72, 71, 70, 68, 65, 63, 61, 61, 59, 59, 59, 58, 56, 55, 54, 54,
  52, 49, 48, 48, 48, 48, 45, 45, 45, 44, 43, 41, 41, 41, 41, 40, 40, 38, 37, 36, 34, 34, 34, 33,
  31, 29, 29, 29, 28, 28, 28, 28, 28, 28, 28, 27, 27, 27, 27, 27, 24, 24, 23, 23, 22, 21, 20, 20,
  19, 19, 19, 19, 19, 18, 18, 18, 18, 17, 17, 17, 17, 17, 16, 16, 15, 15, 14, 14, 14, 12, 12, 11,
  9, 9, 9, 9, 9, 9, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
  8, 8, 8, 8, 7, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
  4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 2, 2, 2, 2,
  2, 1, 1, 1, 1, 1, 1, 1,
}

local function importance(ply)
  return undecided[clamp(ply, 0, 511) + 1]
end

local function share(own, others, ratio, steal)
  return min(f32(ratio * own) / f32(ratio * own + others), f32(own + f32(steal * others)) / f32(own + others))
end

return policy {
  name   = "sf_2_3_1",
  title  = "Stockfish 2.3.1",
  source = "official-stockfish/Stockfish, src/timeman.cpp and src/search.cpp, commit 3caeabf7 (2012-09-22)",
  unit   = "ms",
  params = {
    horizon = { 40, min = 0, max = 50, help = "Emergency Move Horizon" },
    base    = { 200, min = 0, max = 30000, time = true, help = "Emergency Base Time" },
    move    = { 70, min = 0, max = 5000, time = true, help = "Emergency Move Time, for each move of the horizon" },
    least   = { 20, min = 0, max = 5000, time = true, help = "Minimum Thinking Time" },
    slow    = { 100, min = 10, max = 1000, help = "Slow Mover, percent" },
  },
  budget = function(c, p, g)
    local time, inc = trunc(c.time), trunc(c.inc)
    local m = c.movestogo or 0
    local soft, hard = time, time
    local own = trunc(importance(c.ply) * p.slow / 100)
    local others, horizons = 0, 50
    if m ~= 0 then
      horizons = min(m, 50)
    end
    g.before, g.now = 0, 0
    for h = 1, horizons do
      if h > 1 then
        others = others + importance(c.ply + 2 * (h - 1))
      end
      local left = f32(max(0, time + inc * (h - 1) - p.base - p.move * min(h, p.horizon)))
      soft = min(soft, p.least + trunc(f32(left * f32(share(own, others, 1, 0)))))
      hard = min(hard, p.least + trunc(f32(left * f32(share(own, others, 3, f32(0.33))))))
    end
    if c.ponder then
      soft = soft + idiv(soft, 4)
    end
    return min(soft, hard), hard
  end,
  stop  = "iteration",
  limit = function(s, b, p, g)
    g.before, g.now = g.now, s.changes
    local extra = g.now * idiv(b.soft, 2) + g.before * idiv(b.soft, 3)
    return (b.soft + extra) * 62 / 100 -- without the stops for an easy move and inside an iteration
  end,
}
