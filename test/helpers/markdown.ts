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

/** The text of the code block that is a file, told by a comment with its name in the first line. */
export function fileBlock(text: string, file: string): string {
  for (const [, block = ''] of text.matchAll(/^```\w+\n((?:#|\/\/) .*?)^```$/gms))
    if (block.split('\n', 1)[0]?.replace(/^\S+ /, '') === file) return block;
  throw new Error(`there is no code block ${file}`);
}

/** The code blocks of one language in a section, up to the next heading of the same or a higher level. */
export function sectionBlocks(text: string, section: string, language = 'sh'): string[] {
  const [, marks = '', after = ''] = new RegExp(`^(#+) ${section}$(.*)`, 'ms').exec(text) ?? [];
  if (marks === '') throw new Error(`there is no section ${section}`);
  const [body = ''] = after.split(new RegExp(`^#{1,${marks.length}} `, 'm'));
  const blocks = body.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}
