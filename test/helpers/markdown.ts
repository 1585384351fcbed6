/** The rows of the first table in a section of a Markdown text, cell by cell, without its heading; `\|` is a bar. */
export function tableRows(text: string, section: string): string[][] {
  const [, after = ''] = text.split(new RegExp(`^#+ ${section}$`, 'm'));
  const [body = ''] = after.split(/^#/m);
  return body
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
}
