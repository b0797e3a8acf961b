// The chosen cells, in the order in which they were chosen, and where a clue outside the grid looks from.

/** Return a selection. countColumns: a function of how many columns the board has. changed: is called when other cells are chosen. */
export function makeSelection(countColumns, changed) {
  const selection = {
    current: 0, // the cell with the focus
    cells: [0],
    starts: [0], // the places in cells at which a stroke begins; each stroke is a line of its own

    choose(cells, to = cells.at(-1) ?? selection.current) {
      selection.cells = cells.length ? [...cells] : [selection.current];
      selection.starts = [0];
      selection.current = to;
      changed();
    },

    /** Add the cells on the way, diagonally first. */
    extend(to) {
      const columns = countColumns();
      const cells = [...selection.cells];
      for (let from = selection.current; from !== to;) {
        const down = Math.sign(Math.floor(to / columns) - Math.floor(from / columns));
        const right = Math.sign((to % columns) - (from % columns));
        from += down * columns + right;
        if (!cells.includes(from)) cells.push(from);
      }
      selection.cells = cells;
      selection.current = to;
      changed();
    },

    /** Take a cell away, or begin a stroke with it. */
    toggle(cell) {
      const at = selection.cells.indexOf(cell);
      if (at < 0) {
        selection.starts = [...selection.starts, selection.cells.length];
        selection.cells = [...selection.cells, cell];
      } else if (selection.cells.length > 1) {
        selection.cells = selection.cells.filter((one) => one !== cell);
        selection.starts = [...new Set(selection.starts.map((start) => (start > at ? start - 1 : start)))];
      }
      selection.current = cell;
      changed();
    },
  };
  return selection;
}

/** Return the lines of sight from a place outside the grid: cells from the edge on. row, column: -1 or as many as there are outside. */
export function sightsFrom(row, column, rows, columns, slanted) {
  const outsideRow = row < 0 || row >= rows;
  const outsideColumn = column < 0 || column >= columns;
  const down = row < 0 ? [1] : row >= rows ? [-1] : slanted ? [1, -1] : [0];
  const right = column < 0 ? [1] : column >= columns ? [-1] : slanted ? [1, -1] : [0];
  if (!slanted && outsideRow && outsideColumn) return [];
  const sights = down.flatMap((dy) => right.map((dx) => walk(row, column, dy, dx, rows, columns)));
  return sights.filter((cells) => cells.length > 1 || (cells.length && rows === 1 && columns === 1));
}

function walk(row, column, down, right, rows, columns) {
  const cells = [];
  for (let step = 1; step <= Math.max(rows, columns); step++) {
    const [y, x] = [row + step * down, column + step * right];
    if (y >= 0 && x >= 0 && y < rows && x < columns) cells.push(y * columns + x);
  }
  return cells;
}
