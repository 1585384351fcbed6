// The history of a channel, and the difference of two configs, for people.

import { onOneLine } from '../../core/common/text/one-line.js';
import { PLAIN, type Style } from '../describe/style.js';
import type { SignerSummary } from '../show/update.js';
import type { ElementDifference } from './difference.js';
import type { LogEntry } from './entry.js';

/** How many changes and signers of an entry are shown. */
const SHOWN = 8;
const INDENT = '  ';

/** How much of an entry is shown. */
export interface LogStyle {
  readonly style?: Style;
  /** Whether all changes and signers are shown. */
  readonly isFull?: boolean;
}

/** An entry, lines that end in a newline. */
export function logText(entry: LogEntry, { style = PLAIN, isFull = false }: LogStyle = {}): string {
  const { block, time, fingerprint, signers, submitter, changes } = entry;
  const title = `block ${block}${INDENT}${time ?? 'without a time'}`;
  const limit = isFull ? Infinity : SHOWN;
  const lines = [
    style('bold', title),
    ...(fingerprint === null ? [] : [`${INDENT}fingerprint ${fingerprint}`]),
    ...limited(
      signers.map((each) => `signed by ${signerWords(each)}`),
      limit,
    ),
    ...(submitter === null ? [] : [`${INDENT}submitted by ${signerWords(submitter)}`]),
    ...limited(changeWords(entry, changes), limit),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** What differs, lines that end in a newline. */
export function differenceText(differences: readonly ElementDifference[]): string {
  if (differences.length === 0) return 'the configs are equal\n';
  return differences.map((each) => `${differenceLine(each)}\n`).join('');
}

function changeWords({ block }: LogEntry, changes: LogEntry['changes']): string[] {
  if (changes === null)
    return [
      block === '0'
        ? 'the first block of the channel'
        : 'what changed is unknown: the config block before is missing',
    ];
  return changes.length === 0 ? ['the same content with new versions'] : changes.map(differenceLine);
}

const differenceLine = ({ element, words }: ElementDifference): string =>
  `${onOneLine(element.replace(/^\/Channel\//, ''))}${INDENT}${words.map(onOneLine).join('; ')}`;

const signerWords = ({ mspid, certificate }: SignerSummary): string =>
  onOneLine(`${mspid ?? 'an unreadable identity'} ${certificate.subject ?? certificate.error ?? ''}`.trim());

function limited(lines: readonly string[], limit: number): string[] {
  const more = lines.length - limit;
  return [...lines.slice(0, limit), ...(more > 0 ? [`and ${more} more`] : [])].map((line) => INDENT + line);
}
