// `compute_update`: computes the update between two configs.

import { TranslateError } from '../../../../proto/errors.js';
import { messageKindOf } from '../../../config/message-kind.js';
import type { Context, Process } from '../../context.js';
import { CommandError, step } from '../../errors.js';
import { readAnyInput } from '../../files.js';
import { textFormatOf } from '../../hints.js';
import { printNote, writeOutput } from '../../output.js';
import type { Values } from '../../values.js';

/** One of the two configs. */
interface Input {
  readonly which: 'original' | 'updated';
  readonly path: string;
  readonly bytes: Buffer;
}

/** @throws CommandError */
export async function run(values: Values, { process, load }: Context): Promise<void> {
  const computeUpdate = await load.computeUpdate();
  step('Error computing update', () => {
    const original = readConfig('original', values, process);
    const updated = readConfig('updated', values, process);
    const channelId = values.one('channel_id');
    // Node.js replaces invalid UTF-8 in arguments with this character.
    if (channelId.includes('\uFFFD'))
      throw new CommandError('error marshaling computed config update: string field contains invalid UTF-8');
    try {
      const update = computeUpdate(original.bytes, updated.bytes, channelId, (text) =>
        printNote(text, process),
      );
      step('error writing config update to output', () => writeOutput(values.one('output'), update, process));
    } catch (error) {
      throw error instanceof TranslateError ? refusal(error, original, updated) : error;
    }
  });
}

function readConfig(which: Input['which'], values: Values, process: Process): Input {
  return step(`error reading ${which} config`, () => {
    const path = values.optional(which);
    if (path === undefined) throw new CommandError('invalid argument');
    return { which, path, bytes: readAnyInput(path, process) };
  });
}

function refusal(error: TranslateError, original: Input, updated: Input): CommandError {
  const { code, path, message } = error;
  const input = path === 'original' ? original : updated;
  if (code === 'WRONG_MESSAGE') return new CommandError(otherMessage(input), { cause: error });
  const prefix =
    code === 'BAD_BYTES' ? `error unmarshalling ${input.which} config` : 'error computing config update';
  const hint = code === 'NO_DIFFERENCES' ? undefined : otherFile(input);
  return new CommandError(`${prefix}: ${message}${hint === undefined ? '' : ` (${hint})`}`, { cause: error });
}

/** Names the message that the input is and the command that extracts its config. */
function otherMessage({ which, path, bytes }: Input): string {
  const kind = messageKindOf(bytes);
  if (kind === undefined) return `--${which} ${path} is not a common.Config`;
  const needed = `--${which} ${path} is a ${kind.type}, a common.Config is needed`;
  return kind.configPath === undefined
    ? `${needed}; it contains no config, use that of the block from: peer channel fetch config`
    : `${needed}; extract it with: configtxlator proto_decode --type ${kind.type} --input ${quoted(path)} | jq '${kind.configPath}' | configtxlator proto_encode --type common.Config --output config.pb`;
}

/** Says what a file is that is not a message. */
function otherFile({ which, path, bytes }: Input): string | undefined {
  if (bytes.length === 0) return `--${which} ${path} is empty`;
  const format = textFormatOf(bytes);
  if (format === undefined) return undefined;
  const advice =
    format === 'JSON'
      ? `; encode it with: configtxlator proto_encode --type common.Config --input ${quoted(path)} --output config.pb`
      : '';
  return `--${which} ${path} is ${format}, not a serialized message${advice}`;
}

/** A path as an argument in a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
