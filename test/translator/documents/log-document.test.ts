// An entry of the history of a channel as a document and as texts.

import test from 'ava';
import {
  changeTexts,
  differenceDocument,
  logDocument,
  signerText,
} from '../../../translator/documents/log-document.js';
import type { LogEntry } from '../../../translator/documents/log.js';
import type { ElementDifference } from '../../../translator/documents/changes.js';
import { documentText } from '../../../translator/documents/text.js';

const signer = (name: string) => ({ mspid: 'A', certificate: { subject: `CN=${name}` } });
const change = (index: number): ElementDifference => ({
  element: `/Channel/Orderer/V${index}`,
  kind: 'value',
  change: 'modified',
  words: ['a 1 → 2', 'b 1 → 2'],
});
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const entryOf = (changes: LogEntry['changes'], fields: Partial<LogEntry> = {}): LogEntry => ({
  block: '7',
  time: '2026-11-26T00:00:00.000Z',
  fingerprint: 'ab',
  signers: [],
  submitter: null,
  changes,
  ...fields,
});

test('an entry shows eight changes and eight signers, and in full all of them', (t) => {
  const entry = entryOf(range(9).map(change), {
    signers: range(9).map((index) => signer(`s${index}`)),
    submitter: signer('x'),
  });
  const lines = (count: number, rest: readonly string[]): string[] => [
    'block 7  2026-11-26T00:00:00.000Z',
    '  fingerprint ab',
    ...range(count).map((index) => `  signed by A CN=s${index}`),
    ...rest,
    '  submitted by A CN=x',
    ...range(count).map((index) => `  Orderer/V${index}  a 1 → 2; b 1 → 2`),
    ...rest,
    '',
  ];
  t.is(documentText(logDocument(entry)), lines(8, ['  and 1 more']).join('\n'));
  t.is(documentText(logDocument(entry, true)), lines(9, []).join('\n'));
});

for (const [what, changes, fields, line] of [
  ['without changes', [], {}, 'the same content with new versions'],
  ['of the first block', null, { block: '0' }, 'the first block of the channel'],
  ['without the block before', null, {}, 'what changed is unknown: the config block before is missing'],
] as const)
  test(`an entry ${what}: ${line}`, (t) => {
    const entry = entryOf(changes, fields);
    t.deepEqual(changeTexts(entry), [line]);
    t.true(documentText(logDocument(entry)).endsWith(`\n  ${line}\n`));
  });

test('an entry without a time and without a fingerprint says so', (t) => {
  t.is(
    documentText(logDocument(entryOf([change(1)], { time: null, fingerprint: null }))),
    'block 7  without a time\n  Orderer/V1  a 1 → 2; b 1 → 2\n',
  );
});

test('the changes of an entry are one line each', (t) => {
  const hostile: ElementDifference = { ...change(1), element: '/Channel/a\nb' };
  t.deepEqual(changeTexts(entryOf([hostile, change(2)])), [
    String.raw`Channel/a\nb: a 1 → 2; b 1 → 2`,
    'Orderer/V2: a 1 → 2; b 1 → 2',
  ]);
});

test('the difference of two configs has all elements', (t) => {
  t.is(documentText(differenceDocument([])), 'the configs are equal\n');
  t.is(documentText(differenceDocument(range(30).map(change))).split('\n').length, 31);
});

for (const [summary, text] of [
  [signer('x'), 'A CN=x'],
  [{ certificate: {} }, 'an unreadable identity'],
  [{ mspid: 'A', certificate: { error: 'no\nPEM' } }, String.raw`A no\nPEM`],
] as const)
  test(`a signer in words: ${text}`, (t) => {
    t.is(signerText(summary), text);
  });
