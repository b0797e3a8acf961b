# The formula of a count on a classic board, written from board.txt and solutions.txt alone, to compare with formula.cnf.
# It stops at a grid that is against a clue or holds a symbol twice in a house. docs/certificates.md states each clause.
#
#     awk -f classic.awk DIR/board.txt DIR/solutions.txt | cmp - DIR/formula.cnf

function x(r, c, s) { return (r * 9 + c) * 9 + s }
function fail(text) { print text; bad = 1; exit 1 }
function add(clause) { if (!(clause in seen)) { seen[clause]; list[++m] = clause } }
function box(r, c) { return int(r / 3) * 3 + int(c / 3) }
function peer(r, c, q, d) { return (r != q || c != d) && (r == q || c == d || box(r, c) == box(q, d)) }
# a clause: none if a literal of it is settled, else its literals that are not settled the other way, or all
function put(clause,   n, lit, i, open) {
  n = split(clause, lit, " ")
  for (i = 1; i <= n; i++) if (lit[i] in true) return
  for (i = 1; i <= n; i++) if (!(-lit[i] in true)) open = open lit[i] " "
  add(open ? open : clause)
}
function put_two(a, b) { put("-" a " -" b " ") }
function house(cells,   s, i, j, k, at, all) {
  k = split(cells, at, " ")
  for (s = 1; s <= 9; s++) {
    all = ""
    for (i = 1; i <= k; i++) all = all (at[i] * 9 + s) " "
    put(all)
    for (i = 1; i < k; i++) for (j = i + 1; j <= k; j++) put_two(at[i] * 9 + s, at[j] * 9 + s)
  }
}
FILENAME ~ /board.txt/ { if (length($0) != 9) fail("not a row of 9: " $0); board = board $0; next }
{ grid[++n] = $0 }
END {
  if (bad) exit 1
  for (r = 0; r < 9; r++) for (c = 0; c < 9; c++) {
    s = substr(board, r * 9 + c + 1, 1)
    if (s == ".") continue
    if (s !~ /[1-9]/) fail("no clue: " s)
    for (t = 1; t <= 9; t++) true[t == s ? x(r, c, t) : -x(r, c, t)]
    for (q = 0; q < 9; q++) for (d = 0; d < 9; d++) if (peer(r, c, q, d)) true[-x(q, d, s)]
  }
  for (v = 1; v <= 729; v++) { if (v in true) add(v " "); if (-v in true) add(-v " ") }
  for (v = 0; v < 729; v += 9) {
    all = ""
    for (s = 1; s <= 9; s++) all = all (v + s) " "
    put(all)
    for (s = 1; s < 9; s++) for (t = s + 1; t <= 9; t++) put_two(v + s, v + t)
  }
  for (kind = 1; kind <= 3; kind++) for (h = 0; h < 9; h++) {
    cells = ""
    for (q = 0; q < 81; q++) {
      r = int(q / 9); c = q % 9
      if ((kind == 1 ? r : kind == 2 ? c : box(r, c)) == h) cells = cells q " "
    }
    house(cells)
    houses[++k] = cells
  }
  for (g = 1; g <= n; g++) {
    if (grid[g] !~ /^[1-9]+$/ || length(grid[g]) != 81) fail("not a grid: " grid[g])
    clause = ""
    for (q = 0; q < 81; q++) {
      s = substr(grid[g], q + 1, 1)
      if (substr(board, q + 1, 1) != "." && substr(board, q + 1, 1) != s) fail("against a clue: " grid[g])
      clause = clause "-" (q * 9 + s) " "
    }
    for (h = 1; h <= k; h++) {
      split(houses[h], at, " ")
      word = ""
      for (i = 1; i <= 9; i++) { s = substr(grid[g], at[i] + 1, 1); if (index(word, s)) fail("twice: " grid[g]); word = word s }
    }
    put(clause)
  }
  print "p cnf 729 " m
  for (i = 1; i <= m; i++) print list[i] "0"
}
