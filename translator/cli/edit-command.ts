// The common part of all commands that edit a channel config: it reads the block, applies the edit, and writes the envelope.

import type { Config, ConfigFile, EncodeJson } from '../channel/index.js';
import type { Edited } from '../edit/index.js';
import {
  argument,
  defineCommand,
  flag,
  switchFlag,
  type Argument,
  type Command,
  type Flag,
  type Values,
} from './command.js';
import { CommandError, withPrefix } from './errors.js';
import { printNote, readInput, writeBinary } from './files.js';
import { ALLOW, envelopeOutput, NETWORK } from './flags.js';
import type { Io } from './io.js';
import { inputPath, text } from './kinds.js';

/** Edits the config of a channel. */
export type Edit = (config: Config, channel: string) => Edited | Promise<Edited>;

const BLOCK = argument(
  text,
  'The newest config block of the channel, or its ledger or network, as for fetch.',
);

const FLAGS = {
  onto: flag(inputPath, 'An unsigned config update for the same block; its changes are added to the output.'),
  channel_id: flag(text, 'The name of the channel, if the block is a config without a header.'),
  sign: switchFlag(
    'Review the update and sign it, with the identity of --msp or, if --msp is the MSP of an organisation, of the profile.',
  ),
  allow: ALLOW,
  output: envelopeOutput('envelope'),
  network: NETWORK,
};

/** The values of the flags and arguments of all edits. */
export type EditValues = Values<typeof FLAGS> & { readonly block: string };

type NoFlags = Readonly<Record<never, Flag>>;
type NoArguments = Readonly<Record<never, Argument>>;

/** Defines a command that writes an envelope. */
export function editCommand<
  const OwnFlags extends Readonly<Record<string, Flag>> = NoFlags,
  const OwnArguments extends Readonly<Record<string, Argument>> = NoArguments,
>(definition: {
  readonly name: string;
  readonly help: string;
  readonly example: string;
  readonly flags?: OwnFlags;
  readonly arguments?: OwnArguments;
  /** Makes the edit from the values, before the block is read. @throws CommandError */
  readonly edit: (
    values: Values<OwnFlags> & Values<OwnArguments> & Pick<EditValues, 'onto'>,
    io: Io,
  ) => Promise<Edit>;
}): Command {
  const { name, help, example } = definition;
  return defineCommand({
    name,
    help,
    example,
    flags: { ...definition.flags, ...FLAGS },
    arguments: { block: BLOCK, ...definition.arguments },
    async run(values, io) {
      const edit = await definition.edit(values as unknown as Parameters<typeof definition.edit>[0], io);
      await runEdit(edit, values, io);
    },
  });
}

/** The maximum number of printed changes; a note has the number of the others. */
const MAX_CHANGES = 20;

/** Runs an edit on the block of the arguments and writes the envelope. */
async function runEdit(edit: Edit, values: EditValues, io: Io): Promise<void> {
  const { badEdit } = await import('../edit/index.js');
  const { isSameConfig, unsignedUpdate } = await import('../edit/index.js');
  const { encode } = await import('../../proto/from-json.js');
  const block = await readBlock(values, io, encode);
  const { channel } = block;
  const base = await readOnto(values.onto, io, block);
  const { config, notes } = await edit(base, channel);
  if (base !== block.config && isSameConfig(base, config))
    throw badEdit('the edit changes nothing: the channel has this config already');
  const { bytes, changes } = unsignedUpdate(block.config, config, channel);
  for (const note of notes) printNote(note, io);
  // A review contains them.
  if (!values.sign) for (const line of await majorityNotes(block.config, config)) printNote(line, io);
  const options = { block, allowed: new Set(values.allow), isShown: true };
  const written = values.sign
    ? await (await import('./sign-update.js')).signMade(bytes, options, values.network, io)
    : bytes;
  await writeBinary(values.output, written, io);
  const kind = values.sign ? 'signed' : 'unsigned';
  printNote(`${kind} update of the channel ${channel}: ${listed(changes)}`, io);
}

/** Notes about changed majorities, and about organisations that decide alone or lose a veto. The edits of consenters have notes about their quorum. */
async function majorityNotes(before: Config, after: Config): Promise<readonly string[]> {
  const { decisionText, decisionsOf, majorityLines } = await import('../documents/index.js');
  const { findGains } = await import('../control/index.js');
  const { ChannelState, majorityChanges } = await import('../state/index.js');
  const [stateBefore, stateAfter] = [new ChannelState(before), new ChannelState(after)];
  const decisions = decisionsOf((await findGains(stateBefore, stateAfter, new Set())).decisions);
  const changes = majorityChanges(stateBefore, stateAfter).filter(({ rule }) => rule !== 'quorum');
  return [...majorityLines(changes), ...decisions.map(decisionText)];
}

function listed(changes: readonly string[]): string {
  const more = changes.length - MAX_CHANGES;
  return [...changes.slice(0, MAX_CHANGES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

type Block = ConfigFile & { readonly path: string; readonly channel: string };

async function readBlock(
  { block: path, channel_id: given = '', network }: EditValues,
  process: Io,
  encode: EncodeJson,
): Promise<Block> {
  const { readConfigFile } = await import('../channel/index.js');
  const { readSource } = await import('./inputs.js');
  const file = await readSource(path, network, process);
  const found = withPrefix(path, () => readConfigFile(file, encode));
  const { channel = '' } = found;
  if (channel === '' && given === '')
    throw new CommandError(
      `${path} is a config without a header, so its channel is unknown: give a config block, or --channel_id CHANNEL`,
    );
  if (channel !== '' && given !== '' && channel !== given)
    throw new CommandError(`${path} is of the channel ${channel}, --channel_id is ${given}`);
  return { ...found, path, channel: channel || given };
}

async function readOnto(path: string | undefined, process: Io, { config, channel }: Block): Promise<Config> {
  if (path === undefined) return config;
  const { readUpdateFile } = await import('../channel/index.js');
  const { applyUnsigned } = await import('../edit/index.js');
  const file = readInput(path, process);
  return withPrefix(`--onto ${path}`, () => applyUnsigned(config, readUpdateFile(file), channel));
}
