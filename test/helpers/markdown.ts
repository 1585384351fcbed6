/** Returns the body rows of the first table in a section of a Markdown text, as cells. `\|` in a cell becomes `|`. */
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

/** A fenced code block. */
export interface CodeBlock {
  /** The info string after the opening fence. */
  readonly language: string;
  readonly text: string;
  /** The line number of its first line. */
  readonly line: number;
  /** The name of the file that it shows, if its first line is a comment with only a file name. */
  readonly file: string | undefined;
}

const FENCED = /^( *)```(\S*)\n(.*?)^\1```$/gms;
const FILE_NAME = /^(?:#|\/\/) (\S+\.\w+)$/;

/** Returns the fenced code blocks of a Markdown text. */
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

/** Returns the text of the code block that shows a file. */
export function fileBlock(text: string, file: string): string {
  const block = codeBlocks(text).find((each) => each.file === file);
  if (block === undefined) throw new Error(`no code block shows ${file}`);
  return block.text;
}

/** Returns the code blocks of one language in a section, which ends at the next heading of the same or a higher level. */
export function sectionBlocks(text: string, section: string, language = 'sh'): string[] {
  const [, marks = '', after = ''] = new RegExp(`^(#+) ${section}$(.*)`, 'ms').exec(text) ?? [];
  if (marks === '') throw new Error(`missing section: ${section}`);
  const [body = ''] = after.split(new RegExp(`^#{1,${marks.length}} `, 'm'));
  const blocks = codeBlocks(body).filter((block) => block.language === language);
  return blocks.map((block) => block.text);
}

/** Returns the targets of relative links in a Markdown text, with `#heading`. Code blocks are ignored. */
export function relativeLinks(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** Returns the anchors of all headings, as used after `#` in links. */
export function headingAnchors(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const withoutCode = (text: string): string => text.replaceAll(FENCED, '');
