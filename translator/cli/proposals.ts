// Prints the reviews of a folder of proposals: a table of all, the most urgent first, and then each review.

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
  proposalsDocuments,
  VERDICT_TITLES,
  verdictOf,
  type ProposalsReview,
  type ReviewedProposal,
  type Verdict,
} from '../review/index.js';

/** The order of verdicts: orderers accept a dangerous update, a refused one does no harm. */
const ORDER: readonly Verdict[] = ['dangerous', 'refused', 'unsigned', 'warning', 'harmless'];

const COLUMNS = ['FILE', 'VERDICT', 'MISSING SIGNATURES', 'CONFLICTS WITH'];

/** A proposal with the cells of its row, and the document about it. */
interface Listed {
  readonly verdict: Verdict;
  readonly cells: readonly string[];
  readonly document: Document;
}

/** The proposals in the order of their verdicts, and the document about their conflicts. */
function listed(
  { proposals, conflicts }: ProposalsReview,
  allowed: ReadonlySet<string>,
): { readonly proposals: readonly Listed[]; readonly rest: readonly Document[] } {
  const place = ({ review }: ReviewedProposal): number => ORDER.indexOf(verdictOf(review, allowed));
  const sorted = proposals.toSorted((one, other) => place(one) - place(other));
  const documents = proposalsDocuments({ proposals: sorted, conflicts }, allowed);
  return {
    proposals: sorted.map(({ files, review }, index) => {
      const verdict = verdictOf(review, allowed);
      const missing = new Set(review.policies.flatMap((policy) => policy.missing ?? []));
      const others = conflicts.flatMap((conflict) =>
        conflict.files.includes(files[0]!) ? conflict.files.filter((file) => file !== files[0]) : [],
      );
      const cells = [files.join(', '), verdict, [...missing].join('; '), others.join(', ')];
      return { verdict, cells: cells.map((cell) => (cell === '' ? '-' : cell)), document: documents[index]! };
    }),
    rest: documents.slice(sorted.length),
  };
}

/** The reviews as text. @param allowed ids of accepted dangers */
export function proposalsText(
  review: ProposalsReview,
  allowed: ReadonlySet<string>,
  display: Display,
): string {
  const { proposals, rest } = listed(review, allowed);
  const table = tableOf([COLUMNS, ...proposals.map(({ cells }) => cells)], { maxWidth: MAX_WIDTH });
  const overview: Document = { sections: sectionOf('proposals', [table]) };
  return documentsText([overview, ...proposals.map(({ document }) => document), ...rest], display);
}

/** A longer cell does not widen its column, in characters. */
const MAX_WIDTH = 30;

/** The reviews in Markdown: a table, and a part that opens for each review. @param allowed ids of accepted dangers */
export function proposalsMarkdown(review: ProposalsReview, allowed: ReadonlySet<string>): string {
  const { proposals, rest } = listed(review, allowed);
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
    `## ${title}\n\n${table}`,
    ...parts,
    ...(rest.length === 0 ? [] : [documentsMarkdown('Conflicts', rest)]),
  ].join('\n');
}

/** In the order of the exit statuses. */
const worstOf = (proposals: readonly Listed[]): Verdict =>
  (['refused', 'dangerous', 'unsigned', 'warning'] as const).find((verdict) =>
    proposals.some((each) => each.verdict === verdict),
  ) ?? 'harmless';

/** A text without markup: all characters that Markdown, HTML or a forge could understand are references. */
const escaped = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9 .,;/-]/gu, (character) => `&#${character.codePointAt(0)};`);
