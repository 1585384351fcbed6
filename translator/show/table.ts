// Rows with aligned columns.

/** A column is not wider than this; longer cells push the rest of their row. */
const MAX_WIDTH = 44;
const GAP = '  ';

/** One line for each row; cells of a column begin at the same place. */
export function table(rows: readonly (readonly string[])[], indent = GAP): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.min(
      MAX_WIDTH,
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
