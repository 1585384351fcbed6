// The documents about an entry of the history of a channel, and about the difference of two configs.

import { is, requireTypes } from '../../proto/arguments.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { shortPath, type ElementDifference } from './changes.js';
import { listOf, type Document, type Layout, type Rows } from './document.js';
import type { LogEntry } from './log.js';
import type { SignerSummary } from './update.js';

/** The number of changes and of signers of an entry that are shown at first. */
const SHOWN = 8;

const ENTRY = is.named('a result of logEntry', is.record({ block: is.text }));

/** Describes an entry. @param isFull whether all changes and signers are shown at first */
export function logDocument(entry: LogEntry, isFull = false): Document {
  requireTypes({ entry }, { entry: ENTRY });
  const { block, time, fingerprint, signers, submitter } = entry;
  const layout: Layout = isFull ? {} : { limit: { shown: SHOWN } };
  return {
    title: `block ${block}  ${time ?? 'without a time'}`,
    blocks: [
      listOf(fingerprint === null ? [] : [`fingerprint ${fingerprint}`]),
      listOf(
        signers.map((each) => `signed by ${signerText(each)}`),
        layout,
      ),
      listOf(submitter === null ? [] : [`submitted by ${signerText(submitter)}`]),
      changesBlock(entry.changes, unchangedText(entry), layout),
    ],
  };
}

/** Describes the difference of two configs. */
export function differenceDocument(differences: readonly ElementDifference[]): Document {
  requireTypes(
    { differences },
    { differences: is.list(is.record({ element: is.text, words: is.list(is.text) })) },
  );
  return { blocks: [changesBlock(differences, 'the configs are equal')] };
}

/** The changes of an entry, on one line each; at least one line. */
export function changeTexts(entry: LogEntry): string[] {
  requireTypes({ entry }, { entry: ENTRY });
  return entry.changes === null || entry.changes.length === 0
    ? [unchangedText(entry)]
    : entry.changes.map(({ element, words }) => onOneLine(`${shortPath(element)}: ${words.join('; ')}`));
}

/** @param unchanged the text without changes */
const changesBlock = (
  changes: readonly ElementDifference[] | null,
  unchanged: string,
  layout: Layout = {},
): Rows =>
  changes === null || changes.length === 0
    ? listOf([unchanged])
    : listOf(
        changes.map(({ element, words }) => [shortPath(element), { items: words }]),
        { columns: ['element', 'change'], ...layout },
      );

/** The text of an entry without changes. */
function unchangedText({ block, changes }: LogEntry): string {
  if (changes !== null) return 'the same content with new versions';
  return block === '0'
    ? 'the first block of the channel'
    : 'what changed is unknown: the config block before is missing';
}

/** The signer, on one line: `Org1MSP CN=Admin@org1.example.com`. */
export function signerText(signer: SignerSummary): string {
  requireTypes({ signer }, { signer: is.record({ certificate: is.record({}) }) });
  const { mspid, certificate } = signer;
  return onOneLine(
    `${mspid ?? 'an unreadable identity'} ${certificate.subject ?? certificate.error ?? ''}`.trim(),
  );
}
