// The reviews of several proposals for people, and a review for a page of a pull request.

import { onOneLine } from '../../../core/common/text/one-line.js';
import type { Style } from '../../describe/style.js';
import type { Conflict, ProposalsReview } from '../proposals.js';
import { reviewText } from './text.js';

/** How many conflicts are shown, and how many elements of each. */
const SHOWN = 20;
const INDENT = '  ';

/** The text of several reviews, with a newline at its end. */
export function proposalsText({ proposals, conflicts }: ProposalsReview, style: Style): string {
  const parts = proposals.map(
    ({ files, review }) => `${style('bold', files.map(onOneLine).join(', '))}\n${reviewText(review, style)}`,
  );
  if (conflicts.length > 0) {
    const more = conflicts.length - SHOWN;
    const lines = [...conflicts.slice(0, SHOWN).map(conflictLine), ...(more > 0 ? [`and ${more} more`] : [])];
    parts.push(`${[style('bold', 'conflicts'), ...lines.map((line) => INDENT + line)].join('\n')}\n`);
  }
  return parts.join('\n');
}

function conflictLine({ files: [one, other], elements }: Conflict): string {
  const more = elements.length - SHOWN;
  const names = [...elements.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  return onOneLine(
    `${one} and ${other} both change ${names}: once one is accepted, make the other anew with configtxlator rebase`,
  );
}

/** A text in Markdown, as it is: nothing in it is markup. */
export function asMarkdown(title: string, text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `### ${title}\n\n${fence}text\n${text}${fence}\n`;
}
