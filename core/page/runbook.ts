// The sections of the runbook. The page contains them, so that it shows the next steps without a network.

import text from '../../config/deploy/runbook.md';

/** A paragraph, or an item of a list. */
export interface RunbookPart {
  readonly text: string;
  readonly isItem: boolean;
}

const ITEM = '- ';

/** Markdown as paragraphs: without headings and without the command that shows what the page shows, and with links as words. */
const partsOf = (markdown: string): readonly RunbookPart[] =>
  markdown
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(/ ?Run `fabric-ops-agent status[^`]*`\./g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    // Lines that the source breaks are one paragraph.
    .replaceAll(/([^\n])\n(?![\n-])\s*/g, '$1 ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const isItem = line.startsWith(ITEM);
      return { text: isItem ? line.slice(ITEM.length) : line, isItem };
    });

const sections = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map((section): [name: string, parts: readonly RunbookPart[]] => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), partsOf(section.slice(end))];
    }),
);

/** A section of the runbook; undefined if it does not exist. */
export const runbookSection = (name: string): readonly RunbookPart[] | undefined => sections.get(name);
