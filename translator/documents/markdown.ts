// Prints documents in Markdown, for a comment on a pull request.

import { is, requireTypes } from '../../proto/arguments.js';
import type { Document } from './document.js';
import { documentsText } from './text.js';

/** Documents below a heading, as a block of text: nothing in them is markup. */
export function documentsMarkdown(title: string, documents: readonly Document[]): string {
  requireTypes({ title }, { title: is.text });
  const text = documentsText(documents);
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `### ${title}\n\n${fence}text\n${text}${fence}\n`;
}
