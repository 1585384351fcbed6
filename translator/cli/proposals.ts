// Prints the reviews of a folder of proposals: the conflicts, a table of all, the dangerous ones first and the refused ones last, and then
// each review.

import { capitalised } from '../../core/common/text/capitalised.js';
import {
  documentsMarkdown,
  documentsText,
  sectionOf,
  tableOf,
  type Document,
  type Display,
} from '../documents/index.js';
import {
  appliedText,
  conflictsDocuments,
  proposalsDocuments,
  PROPOSALS_ORDER,
  VERDICTS,
  VERDICT_TITLES,
  verdictOf,
  type ProposalsReview,
  type ReviewedProposal,
  type Verdict,
} from '../review/index.js';

const COLUMNS = ['FILE', 'VERDICT', 'MISSING SIGNATURES', 'CONFLICTS WITH'];

/** A proposal with the cells of its row, and the document about it. */
interface Listed {
  readonly verdict: Verdict;
  readonly cells: readonly string[];
  readonly document: Document;
}

/** The proposals in the order of their verdicts. */
function listed({ proposals, conflicts }: ProposalsReview, allowed: ReadonlySet<string>): readonly Listed[] {
  const place = ({ review }: ReviewedProposal): number => PROPOSALS_ORDER.indexOf(verdictOf(review, allowed));
  const sorted = proposals.toSorted((one, other) => place(one) - place(other));
  const documents = proposalsDocuments({ proposals: sorted, conflicts: [] }, allowed);
  return sorted.map(({ files, review }, index) => {
    const verdict = verdictOf(review, allowed);
    const word = review.appliedIn === null ? verdict : appliedText(review.appliedIn);
    const missing = new Set(review.policies.flatMap((policy) => policy.missing ?? []));
    const others = conflicts.flatMap((conflict) =>
      conflict.files.includes(files[0]!) ? conflict.files.filter((file) => file !== files[0]) : [],
    );
    const cells = [files.join(', '), word, [...missing].join('; '), others.join(', ')];
    return { verdict, cells: cells.map((cell) => (cell === '' ? '-' : cell)), document: documents[index]! };
  });
}

/** The reviews as text. @param allowed ids of accepted dangers */
export function proposalsText(
  review: ProposalsReview,
  allowed: ReadonlySet<string>,
  display: Display,
): string {
  const proposals = listed(review, allowed);
  const table = tableOf([COLUMNS, ...proposals.map(({ cells }) => cells)], { maxWidth: MAX_WIDTH });
  const overview: Document = { sections: sectionOf('proposals', [table]) };
  const reviews = proposals.map(({ document }) => document);
  return documentsText([...conflictsDocuments(review.conflicts), overview, ...reviews], display);
}

/** A longer cell does not widen its column, in characters. */
const MAX_WIDTH = 30;

/** The reviews in Markdown: the conflicts, a table, and a part that opens for each review. @param allowed ids of accepted dangers */
export function proposalsMarkdown(review: ProposalsReview, allowed: ReadonlySet<string>): string {
  const proposals = listed(review, allowed);
  const conflicts = conflictsDocuments(review.conflicts);
  const rows = [COLUMNS.map((title) => capitalised(title.toLowerCase())), COLUMNS.map(() => '---')];
  const cells = proposals.map(({ cells: [file = '', ...others] }) => [
    `<code>${escaped(file)}</code>`,
    ...others.map(escaped),
  ]);
  const parts = proposals.map(({ verdict, cells: [file = ''], document }) => {
    const text = documentsMarkdown(capitalised(VERDICT_TITLES[verdict]), [document]);
    const isOpen = verdict === 'dangerous' || verdict === 'refused';
    return `<details${isOpen ? ' open' : ''}>\n<summary><code>${escaped(file)}</code></summary>\n\n${text}\n</details>\n`;
  });
  const title = capitalised(VERDICT_TITLES[worstOf(proposals)]);
  const table = [...rows, ...cells].map((row) => `| ${row.join(' | ')} |\n`).join('');
  return [
    ...(conflicts.length === 0 ? [] : [documentsMarkdown('Conflicts', conflicts)]),
    `## ${title}\n\n${table}`,
    ...parts,
  ].join('\n');
}

const worstOf = (proposals: readonly Listed[]): Verdict =>
  VERDICTS.find((verdict) => proposals.some((each) => each.verdict === verdict)) ?? 'harmless';

/** A text without markup: all characters that Markdown, HTML or a forge could understand are references. */
const escaped = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9 .,;/-]/gu, (character) => `&#${character.codePointAt(0)};`);
