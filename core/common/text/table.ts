// Rows with aligned columns.

/** Widest column, in characters; longer cells shift the rest of their row. */
const MAX_WIDTH = 44;
const GAP = '  ';

/** One line for each row; cells of a column begin at the same position. */
export function table(rows: readonly (readonly string[])[], indent = GAP, maxWidth = MAX_WIDTH): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(
      maxWidth,
      Math.max(0, ...rows.map((row) => (column < row.length - 1 ? row[column]!.length : 0))),
    ),
  );
  return rows.map((row) =>
    (
      indent +
      row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!))).join(GAP)
    ).trimEnd(),
  );
}
