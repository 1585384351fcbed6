// `identity`: describes a certificate, or the signer of a message, on a channel.

import type { FoundIdentity } from '../../identity/index.js';
import { argument, defineCommand, flag } from '../command.js';
import { withPrefix } from '../errors.js';
import { jsonText, printText, readInput } from '../files.js';
import { BLOCK, FABRIC, JSON_FLAG, NETWORK, NOW } from '../flags.js';
import type { Io } from '../io.js';
import { text } from '../kinds.js';
import { networkOfProfile, versionsOf } from '../profile.js';

/** The command. */
export const identity = defineCommand({
  name: 'identity',
  help: 'Describes an identity on a channel: its organisation, chain and roles; whether it is valid, and if not, the reason and a remedy; what it may do alone, and who else must sign. Use it for "creator is malformed" and "access denied". The exit status is 0 if the identity is valid, 2 if it is not, 1 on any error.',
  example: 'identity users/admin/msp --block config_block.pb',
  flags: {
    block: BLOCK,
    as: flag(text, 'The id of the MSP for the certificate (localMspId), if the file does not contain it.'),
    fabric: FABRIC,
    now: NOW,
    json: JSON_FLAG,
    network: NETWORK,
  },
  arguments: {
    file: argument(
      text,
      'A certificate (PEM), an MSP folder with signcerts, a serialized identity, an identity of a wallet (JSON), a signed envelope of any type, or a signed proposal.',
    ),
  },
  async run({ file, block, as, fabric, now = new Date(), json, network }, io) {
    const { explainIdentities } = await import('../../identity/index.js');
    const { documentText, identityDocument } = await import('../../documents/index.js');
    const { readConfigInput } = await import('../inputs.js');
    const found = await identitiesIn(file, io);
    const source = block ?? (await networkOfProfile(network, 'block'));
    const config = await readConfigInput(source, network, io);
    const versions = await versionsOf(fabric, network, io);
    const report = await withPrefix(source, async () =>
      explainIdentities(found, config, { now, mspid: as, fabric: versions }),
    );
    printText(json ? jsonText(report) : documentText(identityDocument(report), io.display), io);
    return report.identities.every(({ valid }) => valid) ? 0 : NOT_VALID;
  },
});

const NOT_VALID = 2;

/** @throws CommandError */
async function identitiesIn(path: string, process: Io): Promise<readonly FoundIdentity[]> {
  const { isDirectory } = await import('../inputs.js');
  if (isDirectory(path)) {
    const { readSignerFiles } = await import('../../msp-folder.js');
    const { certificate, keys } = readSignerFiles(path, false);
    return [{ place: 'MSP folder', certificate, ...(keys.length > 0 && { keys }) }];
  }
  const { readIdentities } = await import('../../identity/index.js');
  const bytes = readInput(path, process);
  return withPrefix(path, () => readIdentities(bytes));
}
