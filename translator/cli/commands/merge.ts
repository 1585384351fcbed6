// `merge`: merges the signatures of several users.

import { defineCommand, flag, optionalList } from '../command.js';
import { UsageError, withMessage } from '../errors.js';
import { printNote } from '../files.js';
import { envelopeOutput, NETWORK } from '../flags.js';
import { source, text } from '../kinds.js';

/** The command. */
export const merge = defineCommand({
  name: 'merge',
  help: 'Merges the signatures of several users on the same config update into one envelope.',
  example: 'merge org1.pb org2.pb --block config_block.pb -o envelope.pb',
  flags: {
    block: flag(
      source,
      'The newest config block of the channel, or its ledger or network: the signatures are ordered so that they satisfy its policies, if possible.',
    ),
    output: envelopeOutput('envelope'),
    network: NETWORK,
  },
  arguments: { file: optionalList(text, 'The signed envelopes, or folders of them.') },
  async run({ file: given, block, output, network }, io) {
    if (given.length === 0) throw new UsageError('at least one file is needed');
    const { readConfigFile } = await import('../../channel/index.js');
    const { mergeEnvelopes } = await import('../../sign/index.js');
    const { isDirectory, readChannelInput } = await import('../inputs.js');
    const { readEnvelopeFile, updatesIn } = await import('../updates.js');
    const { writerOf } = await import('../replace.js');
    const inputs = given.flatMap((path) =>
      isDirectory(path)
        ? updatesIn(path, io).map((found) => readEnvelopeFile(found.path, io, found.target))
        : [readEnvelopeFile(path, io)],
    );
    const write = writerOf(
      output,
      inputs.map(({ file }) => file),
      io,
    );
    const config =
      block === undefined ? undefined : await readChannelInput(block, network, io, readConfigFile);
    const names = inputs.map(({ path }, index) => `${index + 1} is ${path}`).join(', ');
    const { envelope, signatures, duplicates } = await withMessage(
      ({ message }) => `${message} (input ${names})`,
      async () => {
        // The review module loads slowly.
        const order = config && (await import('../../review/index.js')).signatureOrderFor(config);
        return mergeEnvelopes(
          inputs.map(({ bytes }) => bytes),
          order,
        );
      },
    );
    await write(envelope);
    const dropped = duplicates === 0 ? '' : `, ${duplicates} duplicate dropped`;
    printNote(`${signatures.length} ${signatures.length === 1 ? 'signature' : 'signatures'}${dropped}`, io);
  },
});
