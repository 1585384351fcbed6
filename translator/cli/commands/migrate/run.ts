// `migrate bft` and `migrate status`.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onOneLine } from '../../../../core/common/text/one-line.js';
import { isChannelName } from '../../../config/names.js';
import type { Style } from '../../../describe/style.js';
import { planBft, STEPS, type PlannedStep, type Step } from '../../../migrate/bft.js';
import type { ConsenterIdentity } from '../../../migrate/identities.js';
import { migrationStatus, type MigrationStatus } from '../../../migrate/status.js';
import { readUpdateEnvelope } from '../../../sign/envelope.js';
import { allowedOf } from '../../allowed.js';
import { naming, readConfigInput, type ReadConfig } from '../../channel-file.js';
import type { Context, Process } from '../../context.js';
import { jsonText } from '../../format.js';
import { CommandError, onPath, UsageError } from '../../errors.js';
import { readInput } from '../../files.js';
import { printText, writeOutput } from '../../output.js';
import { requiredList, type Values } from '../../values.js';

/** A channel and where its config comes from. */
type Channel = ReadConfig & { readonly source: string; readonly channel: string };

/** `migrate bft` @throws CommandError */
export async function bft(values: Values, context: Context): Promise<void> {
  const sources = requiredList(values, 0, 'channel');
  const identities = values.all('identity').map((text) => identityOf(text, context.process));
  const allowed = allowedOf(values);
  const now = new Date();
  const plans: { readonly channel: Channel; readonly steps: readonly PlannedStep[] }[] = [];
  for (const source of sources) {
    const channel = await channelOf(source, values, context);
    checkFileName(
      channel,
      plans.map((each) => each.channel),
    );
    plans.push({ channel, steps: await plan(channel, identities, now) });
  }
  const output = values.one('output');
  for (const { channel, steps } of plans)
    for (const { step, envelope } of steps) {
      const folder = join(output, folderOf(step));
      onPath('create', folder, () => mkdirSync(folder, { recursive: true }));
      const bytes = values.isSet('sign') ? await signed(envelope, allowed, values, context) : envelope;
      writeOutput(join(folder, `${channel.channel}.pb`), bytes, context.process);
    }
  const steps = STEPS.filter((step) => plans.some((each) => each.steps.some((one) => one.step === step)));
  printText(
    planText(
      output,
      steps,
      plans.map(({ channel }) => channel.channel),
      context.process.style,
    ),
    context.process,
  );
}

/** `migrate status` @throws CommandError */
export async function status(values: Values, context: Context): Promise<void> {
  const found: MigrationStatus[] = [];
  for (const source of requiredList(values, 0, 'channel')) {
    const { channel, number = 0n, config, orderers = [] } = await channelOf(source, values, context);
    found.push(migrationStatus(channel, number, config, orderers));
  }
  const text = values.isSet('json')
    ? jsonText(found)
    : found.map((each) => statusText(each, context.process.style)).join('\n');
  printText(text, context.process);
}

const plan = async (
  { source, channel, config }: Channel,
  identities: readonly ConsenterIdentity[],
  now: Date,
): Promise<readonly PlannedStep[]> => {
  try {
    return await planBft(channel, config, identities, now);
  } catch (error) {
    return naming(source, () => {
      throw error;
    });
  }
};

async function channelOf(source: string, values: Values, context: Context): Promise<Channel> {
  const file = await readConfigInput(source, values, context);
  if (file.channel === undefined)
    throw new CommandError(
      `${source} is a config without a header, which names no channel: give a config block`,
    );
  return { ...file, source, channel: file.channel };
}

/** The files of a channel have its name. @throws CommandError if it is not a name of a channel, or has files already */
function checkFileName({ source, channel }: Channel, others: readonly Channel[]): void {
  if (!isChannelName(channel))
    throw new CommandError(
      `${source}: no file can have the name of the channel ${JSON.stringify(channel)}: Fabric allows 1 to 249 lower-case letters, digits, '.' and '-', with a letter at the beginning`,
    );
  const other = others.find((each) => each.channel === channel);
  if (other !== undefined)
    throw new CommandError(`${other.source} and ${source} are the same channel, ${channel}: give it once`);
}

/** @throws UsageError */
function identityOf(text: string, process: Process): ConsenterIdentity {
  const [, consenter, file] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (consenter === undefined || file === undefined)
    throw new UsageError(`--identity ${JSON.stringify(text)} must be CONSENTER=FILE`);
  return { consenter, certificate: readInput(file, process) };
}

async function signed(
  envelope: Uint8Array,
  allowed: ReadonlySet<string>,
  values: Values,
  { process }: Context,
): Promise<Uint8Array> {
  const { signUpdate } = await import('../../sign-update.js');
  const file = { path: 'the update', bytes: envelope, content: readUpdateEnvelope(envelope) };
  return signUpdate(file, { block: undefined, allowed, isShown: false }, values, process);
}

const folderOf = (step: Step): string => `${STEPS.indexOf(step) + 1}-${step}`;

/** What people do before each step. */
const BEFORE: Readonly<Record<Step, readonly string[]>> = {
  capability: ['all orderers and all peers run Fabric 3.0 or newer: older ones stop at V3_0'],
  maintenance: ['no client sends transactions any more'],
  bft: ['all orderers and peers are backed up: after this step, only the backups lead back'],
  normal: ['all orderers are restarted: one that still runs Raft would accept this step, and stop all peers'],
};

function planText(output: string, steps: readonly Step[], channels: readonly string[], style: Style): string {
  const lines = [style('bold', `from Raft to BFT: ${channels.map(onOneLine).join(', ')}`)];
  for (const step of steps) {
    for (const each of BEFORE[step]) lines.push(`  check: ${each}`);
    const allow = step === 'normal' ? ' --allow bft-not-restarted' : '';
    lines.push(`  configtxlator submit ${onOneLine(join(output, folderOf(step)))}${allow}`);
  }
  lines.push('  configtxlator migrate status CHANNEL says at each time what is next');
  return `${lines.join('\n')}\n`;
}

function statusText({ channel, block, stage, orderers, next }: MigrationStatus, style: Style): string {
  const lines = [
    style('bold', `channel ${onOneLine(channel)}, block ${block}: ${STAGES[stage]}`),
    ...orderers.map(({ address, block: own, reason }) =>
      onOneLine(`  ${address}  ${reason ?? `config block ${own ?? ''}`}`),
    ),
    style('bold', 'next'),
    ...next.map((each) => onOneLine(`  ${each}`)),
  ];
  return `${lines.join('\n')}\n`;
}

const STAGES: Readonly<Record<MigrationStatus['stage'], string>> = {
  'no V3_0': 'Raft, without the channel capability V3_0',
  ready: 'Raft, ready for maintenance',
  maintenance: 'Raft, in maintenance',
  BlockValidation: 'BFT, and BlockValidation does not fit',
  restart: 'BFT, in maintenance',
  done: 'BFT',
};
