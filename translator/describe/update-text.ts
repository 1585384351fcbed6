// A config update on one screen.

import { onOneLine } from '../../core/common/text/one-line.js';
import { certificateText } from './certificate.js';
import { PLAIN, type Style } from './text.js';
import { table } from '../../core/common/text/table.js';
import type { ChangeSummary, SignerSummary, UpdateSummary } from './update.js';

/** How many changes and signatures are shown. */
const SHOWN = 60;

/** Describes a config update, lines that end in a newline. @param now decides which certificates have expired */
export function updateText(summary: UpdateSummary, now: Date, style: Style = PLAIN): string {
  const { form, channel, header, changes, signatures, submitter } = summary;
  const name = form === 'envelope' ? 'config update' : form;
  const title = `${name} of ${channel === '' ? 'no channel' : `channel ${onOneLine(channel)}`}`;
  const lines = [
    style('bold', title),
    ...(header === undefined ? [] : table(headerRows(header, channel, style))),
    style('bold', 'changes'),
    ...(changes.length === 0 ? ['  none: the update has no effect'] : changeLines(changes, style)),
    style('bold', 'signatures'),
    ...(signatures.length === 0 ? ['  none'] : signerLines(signatures, now)),
    ...(submitter === undefined ? [] : [style('bold', 'submitter'), ...table([signerRow(submitter, now)])]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function headerRows(
  { channel, time, txId }: NonNullable<UpdateSummary['header']>,
  inUpdate: string,
  style: Style,
): string[][] {
  const rows: string[][] = [];
  if (channel !== inUpdate)
    rows.push([
      'channel',
      style('red', `the header names ${JSON.stringify(channel)}: the orderer refuses this`),
    ]);
  if (time !== undefined) rows.push(['time', time]);
  if (txId !== undefined) rows.push(['transaction', onOneLine(txId)]);
  return rows;
}

function changeLines(changes: readonly ChangeSummary[], style: Style): string[] {
  const mark = { added: style('green', '+'), changed: style('yellow', '~'), removed: style('red', '-') };
  const rows = changes.slice(0, SHOWN).map((each) => {
    const kind = each.kind === 'value' ? '' : ` (${each.kind})`;
    const place = each.change === 'changed' ? `, version ${each.version ?? ''}` : '';
    return [
      `${mark[each.change]} ${onOneLine(each.path)}${kind}`,
      onOneLine(each.text),
      `${each.change}${place}`,
    ];
  });
  return [
    ...rows.map(([path, text, what]) => `  ${path}  ${what}${text === '' ? '' : `: ${text}`}`),
    ...rest(changes.length),
  ];
}

const signerLines = (signers: readonly SignerSummary[], now: Date): string[] => [
  ...table(signers.slice(0, SHOWN).map((each) => signerRow(each, now))),
  ...rest(signers.length),
];

const signerRow = ({ mspid, certificate }: SignerSummary, now: Date): string[] => [
  mspid === undefined ? 'an unreadable identity' : onOneLine(mspid),
  onOneLine(certificateText(certificate, now)),
];

const rest = (count: number): string[] =>
  count > SHOWN ? [`  and ${count - SHOWN} more; --json lists all`] : [];
