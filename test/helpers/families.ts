/** Returns the families in a Prometheus text as rows of a README table, sorted by name: name, type, labels and help. */
export function familyRows(text: string, isWanted: (name: string) => boolean): string[][] {
  return [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \w+ (\w+)$/gm)]
    .filter(([, name = '']) => isWanted(name))
    .sort(([, name = ''], [, other = '']) => (name < other ? -1 : 1))
    .map(([, name = '', help = '', type = '']) => {
      const suffix = type === 'histogram' ? '_count' : '';
      const series = new RegExp(`^${name}${suffix}(?:\\{(.*)\\})? `, 'm').exec(text);
      const labels = [...(series?.[1] ?? '').matchAll(/(\w+)="/g)]
        .map(([, label = '']) => `\`${label}\``)
        .sort();
      return [`\`${name}\``, type, labels.join(', ') || (series === null ? 'not shown' : '–'), help];
    });
}
