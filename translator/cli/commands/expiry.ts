// `expiry`: when certificates and revocation lists end.

import type { Found } from '../../expiry/index.js';
import { argumentList, defineCommand, flagOr } from '../command.js';
import { jsonText, printText } from '../files.js';
import { JSON_FLAG, NETWORK, NOW } from '../flags.js';
import { period, text } from '../kinds.js';

/** Exit statuses: a source cannot be read; something has expired or expires soon. */
const UNREADABLE = 1;
const DUE = 3;

/** The command. */
export const expiry = defineCommand({
  name: 'expiry',
  help: 'Lists the certificates and revocation lists of channels, MSP directories, node directories and files by the time at which they expire, and how to renew them. The exit status is 3 if one has expired or expires within the time of --within, 1 if something cannot be read, 0 otherwise.',
  example: 'expiry config_block.pb --within 60d',
  flags: {
    within: flagOr('30d', period, 'The time to look ahead, in days or hours, such as 30d or 12h.'),
    now: NOW,
    json: JSON_FLAG,
    network: NETWORK,
  },
  arguments: {
    source: argumentList(
      text,
      "A config block, a config, or the ledger or network of a channel, as for fetch; a file with certificates, or a directory with such files and ledgers, such as an MSP directory or a node's folder.",
    ),
  },
  async run({ source: sources, within, now = new Date(), json, network }, io) {
    const { expiryDocument, expiryReport } = await import('../../expiry/index.js');
    const { documentText } = await import('../../documents/index.js');
    const { endsIn } = await import('../certificate-sources.js');
    const found: Found[] = [];
    for (const source of sources) found.push(...(await endsIn(source, network, io)));
    const report = expiryReport(found, { now, within });
    printText(json ? jsonText(report) : documentText(expiryDocument(report), io.display), io);
    if (report.unreadable.length > 0) return UNREADABLE;
    return report.entries.some(({ state }) => state !== 'later') ? DUE : 0;
  },
});
