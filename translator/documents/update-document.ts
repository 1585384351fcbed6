// The document about a config update.

import { is, requireTypes } from '../../proto/arguments.js';
import { certificateText } from './certificate.js';
import { listOf, tableOf, type Document, type Row, type Text } from './document.js';
import type { ChangeSummary, SignerSummary, UpdateSummary } from './update.js';

/** The number of changes and of signatures that are shown at first. */
const LIMIT = { shown: 60, hint: '; --json lists all' };

const SUMMARY = is.named(
  'a result of summariseUpdate',
  is.record({ changes: is.list(is.any), signatures: is.list(is.any) }),
);

/** Describes a config update. @param now decides which certificates have expired */
export function updateDocument(summary: UpdateSummary, now = new Date()): Document {
  requireTypes({ summary, now }, { summary: SUMMARY, now: is.date });
  const { form, channel, header, changes, signatures, submitter } = summary;
  const name = form === 'envelope' ? 'config update' : form;
  const signers = signatures.map((each) => signerCells(each, now));
  return {
    title: `${name} of ${channel === '' ? 'no channel' : `channel ${channel}`}`,
    blocks: header === undefined ? [] : [tableOf(headerRows(header, channel))],
    sections: [
      {
        id: 'changes',
        title: 'changes',
        blocks: [
          changes.length === 0
            ? listOf(['none: the update has no effect'])
            : listOf(changes.map(changeRow), { limit: LIMIT }),
        ],
      },
      {
        id: 'signatures',
        title: 'signatures',
        blocks: [signers.length === 0 ? listOf(['none']) : tableOf(signers, { limit: LIMIT })],
      },
      ...(submitter === undefined
        ? []
        : [{ id: 'submitter', title: 'submitter', blocks: [tableOf([signerCells(submitter, now)])] }]),
    ],
  };
}

function headerRows(
  { channel, time, txId }: NonNullable<UpdateSummary['header']>,
  inUpdate: string,
): Row['cells'][] {
  const wrong = `the header names ${JSON.stringify(channel)}: the orderer refuses this`;
  return [
    ...(channel === inUpdate ? [] : [['channel', { text: wrong, tone: 'bad' }] as const]),
    ...(time === undefined ? [] : [['time', time]]),
    ...(txId === undefined ? [] : [['transaction', txId]]),
  ];
}

const MARKS: Readonly<Record<ChangeSummary['change'], Text>> = {
  added: { text: '+', tone: 'good' },
  changed: { text: '~', tone: 'open' },
  removed: { text: '-', tone: 'bad' },
};

function changeRow({ path, kind, change, version = '', text }: ChangeSummary): Row {
  const what = `${change}${change === 'changed' ? `, version ${version}` : ''}`;
  return {
    mark: MARKS[change],
    cells: [`${path}${kind === 'value' ? '' : ` (${kind})`}`, `${what}${text === '' ? '' : `: ${text}`}`],
  };
}

const signerCells = ({ mspid, certificate }: SignerSummary, now: Date): string[] => [
  mspid ?? 'an unreadable identity',
  certificateText(certificate, now),
];
