// The sections of the runbook. The page contains them, so that it shows the next steps without a network.

import text from '../../config/deploy/runbook.md';

/** Markdown as text: without headings and without the command that shows what the page shows, and with links as words. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^#.*$/gm, '')
    .replaceAll(/ ?Run `fabric-ops-agent status[^`]*`\./g, '')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    // Lines that the source breaks are one paragraph.
    .replaceAll(/([^\n])\n(?![\n-])\s*/g, '$1 ')
    .replaceAll(/^- /gm, '• ')
    .trim();

const sections = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map((section): [name: string, text: string] => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), plain(section.slice(end))];
    }),
);

/** A section of the runbook; undefined if it does not exist. */
export const runbookSection = (name: string): string | undefined => sections.get(name);
