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

/** A code block between fences. */
export interface CodeBlock {
  /** What stands behind the fence. */
  readonly language: string;
  readonly text: string;
  /** The number of its first line. */
  readonly line: number;
  /** The file that it is: its first line is a comment with nothing but the name. */
  readonly file: string | undefined;
}

const FENCED = /^( *)```(\S*)\n(.*?)^\1```$/gms;
const FILE_NAME = /^(?:#|\/\/) (\S+\.\w+)$/;

/** The code blocks of a Markdown text. */
export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(FENCED)].map(({ index, 1: indent = '', 2: language = '', 3: body = '' }) => {
    const code = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    return {
      language,
      text: code,
      line: text.slice(0, index).split('\n').length + 1,
      file: FILE_NAME.exec(code.split('\n', 1)[0] ?? '')?.[1],
    };
  });
}

/** The text of the code block that is a file. */
export function fileBlock(text: string, file: string): string {
  const block = codeBlocks(text).find((each) => each.file === file);
  if (block === undefined) throw new Error(`there is no code block ${file}`);
  return block.text;
}

/** The code blocks of one language in a section, up to the next heading of the same or a higher level. */
export function sectionBlocks(text: string, section: string, language = 'sh'): string[] {
  const [, marks = '', after = ''] = new RegExp(`^(#+) ${section}$(.*)`, 'ms').exec(text) ?? [];
  if (marks === '') throw new Error(`there is no section ${section}`);
  const [body = ''] = after.split(new RegExp(`^#{1,${marks.length}} `, 'm'));
  const blocks = codeBlocks(body).filter((block) => block.language === language);
  return blocks.map((block) => block.text);
}

/** The places in the repository that a Markdown text leads to: paths, `#heading` included, outside of code. */
export function relativeLinks(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** What stands behind `#` in a link to a heading of the text. */
export function headingAnchors(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const withoutCode = (text: string): string => text.replaceAll(FENCED, '');
