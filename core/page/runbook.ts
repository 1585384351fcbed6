// The sections of the runbook, so that the page shows what to do without a network.

import text from '../../config/deploy/runbook.md';

const sections = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map((section): [name: string, text: string] => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), section.slice(end).replace(/^#.*$/gm, '').trim()];
    }),
);

/** What the runbook says; undefined if it has no such section. */
export const runbookSection = (name: string): string | undefined => sections.get(name);
