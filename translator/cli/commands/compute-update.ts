// `compute_update`: computes the update between two configs.

import { defineCommand, flag, requiredFlag } from '../command.js';
import { CommandError, withMessage, withPrefix } from '../errors.js';
import { printNote, readAnyInput, writeOutput } from '../files.js';
import { output } from '../flags.js';
import type { ComputeInput } from '../hints.js';
import type { Io } from '../io.js';
import { inputPath, text } from '../kinds.js';

/** The command. */
export const computeUpdate = defineCommand({
  name: 'compute_update',
  help: "Computes the config update between two serialized messages of type 'common.Config'.",
  example: 'compute_update --channel_id ch1 --original a.pb --updated b.pb',
  flags: {
    original: flag(inputPath, 'The current config.'),
    updated: flag(inputPath, 'The desired config.'),
    channel_id: requiredFlag(text, 'The name of the channel.'),
    output: output("The file to write the update to, a serialized 'common.ConfigUpdate'."),
  },
  async run({ channel_id: channelId, ...values }, io) {
    const { computeErrorText } = await import('../hints.js');
    const { computeUpdate: compute } = await import('../../update/index.js');
    withPrefix('Error computing update', () => {
      const original = readConfig('original', values.original, io);
      const updated = readConfig('updated', values.updated, io);
      // Node.js replaces invalid UTF-8 in arguments by this character.
      if (channelId.includes('\uFFFD'))
        throw new CommandError(
          'error marshaling computed config update: string field contains invalid UTF-8',
        );
      const update = withMessage(
        (error) => computeErrorText(error, original, updated),
        () => compute(original.bytes, updated.bytes, channelId, (note) => printNote(note, io)),
      );
      withPrefix('error writing config update to output', () => writeOutput(values.output, update, io));
    });
  },
});

function readConfig(which: ComputeInput['which'], path: string | undefined, process: Io): ComputeInput {
  return withPrefix(`error reading ${which} config`, () => {
    if (path === undefined) throw new CommandError('invalid argument');
    return { which, path, bytes: readAnyInput(path, process) };
  });
}
