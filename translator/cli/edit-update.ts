// What all commands that edit a channel config have in common: reads the block, applies the edit, writes the envelope.

import type { Config } from '../config/element.js';
import { readConfigFile, readUpdateFile, type ConfigFile, type EncodeJson } from '../config/file.js';
import { badEdit, type Edited } from '../edit/edited.js';
import type { JsonCodec } from '../edit/json-codec.js';
import { applyUnsigned, isSameConfig, unsignedUpdate } from '../edit/update.js';
import { TranslateError } from '../../proto/errors.js';
import { readUpdateEnvelope } from '../sign/envelope.js';
import { allowedOf } from './allowed.js';
import { writeBinary } from './binary-output.js';
import type { Context, Process } from './context.js';
import { CommandError, step } from './errors.js';
import { readInput } from './files.js';
import { printNote } from './output.js';
import { readSource } from './source.js';
import { requiredArgument, type Values } from './values.js';

/** Changes that are printed; a note has the number of the others. */
const MAX_CHANGES = 20;

/** Edits the config of a channel. */
export type Edit = (config: Config, codec: JsonCodec, channel: string) => Edited;

/** Runs an edit on the block of the arguments and writes the envelope. @throws CommandError */
export async function runEdit(values: Values, context: Context, edit: Edit): Promise<void> {
  const { process } = context;
  const codec = await loadCodec(context);
  const block = await readBlock(values, process, codec.encode);
  const { channel } = block;
  const base = readOnto(values, process, block);
  try {
    const { config, notes } = edit(base, codec, channel);
    if (base !== block.config && isSameConfig(base, config))
      throw badEdit('the edit changes nothing: the channel has this config already');
    const { envelope, changes } = unsignedUpdate(channel, block.config, config);
    for (const note of notes) printNote(note, process);
    const isSigned = values.isSet('sign');
    const written = isSigned ? await signed(envelope, block, values, process) : envelope;
    writeBinary(values.one('output'), written, process);
    const kind = isSigned ? 'signed' : 'unsigned';
    printNote(`${kind} update of the channel ${channel}: ${listed(changes)}`, process);
  } catch (error) {
    if (error instanceof TranslateError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** @throws CommandError if the update is refused or dangerous, or if there is no identity */
async function signed(
  envelope: Uint8Array,
  block: Block,
  values: Values,
  process: Process,
): Promise<Uint8Array> {
  const { signUpdate } = await import('./sign-update.js');
  const file = { path: 'the update', bytes: envelope, content: readUpdateEnvelope(envelope) };
  return signUpdate(file, { block, allowed: allowedOf(values), isShown: true }, values, process);
}

function listed(changes: readonly string[]): string {
  const more = changes.length - MAX_CHANGES;
  return [...changes.slice(0, MAX_CHANGES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

async function loadCodec({ load }: Context): Promise<JsonCodec> {
  const [decode, encode] = await Promise.all([load.decode(), load.encode()]);
  return { decode: (type, bytes) => Buffer.concat(decode(type, bytes)).toString(), encode };
}

type Block = ConfigFile & { readonly path: string; readonly channel: string };

async function readBlock(values: Values, process: Process, encode: EncodeJson): Promise<Block> {
  const path = requiredArgument(values, 0, 'block');
  const file = await readSource(path, values, process);
  const found = step(path, () => readConfigFile(file, encode));
  const { channel = '' } = found;
  const given = values.optional('channel_id') ?? '';
  if (channel === '' && given === '')
    throw new CommandError(
      `${path} is a config without a header, which names no channel: give a config block, or --channel_id CHANNEL`,
    );
  if (channel !== '' && given !== '' && channel !== given)
    throw new CommandError(`${path} is of the channel ${channel}, --channel_id is ${given}`);
  return { ...found, path, channel: channel || given };
}

function readOnto(values: Values, process: Process, { config, channel }: Block): Config {
  const path = values.optional('onto');
  if (path === undefined) return config;
  const file = readInput(path, process);
  return step(`--onto ${path}`, () => applyUnsigned(config, readUpdateFile(file), channel));
}

/** The content of the file of a flag; undefined if the flag was not given. @throws CommandError */
export function flagFile(values: Values, name: string, process: Process): Uint8Array | undefined {
  const path = values.optional(name);
  return path === undefined ? undefined : readInput(path, process);
}
