/**
 * Returns the families in a Prometheus text as rows of a README table, sorted by name: name, type, labels and help.
 *
 * @param withoutSeries the labels of families that have no series in the text
 */
export function familyRows(
  text: string,
  isWanted: (name: string) => boolean,
  withoutSeries: Readonly<Record<string, readonly string[]>> = {},
): string[][] {
  return [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)]
    .filter(([, name = '']) => isWanted(name))
    .sort(([, name = ''], [, other = '']) => (name < other ? -1 : 1))
    .map(([, name = '', help = '', type = '']) => {
      const suffix = type === 'histogram' ? '_count' : '';
      const series = new RegExp(`^${name}${suffix}(?:\\{(.*)\\})? `, 'm').exec(text);
      const shown = [...(series?.[1] ?? '').matchAll(/(\w+)="/g)].map(([, label = '']) => label);
      const labels = series === null ? withoutSeries[name] : shown;
      if (labels === undefined) throw new Error(`${name} has no series`);
      const cell = labels.map((label) => `\`${label}\``).sort();
      return [`\`${name}\``, type, cell.join(', ') || '–', help];
    });
}
