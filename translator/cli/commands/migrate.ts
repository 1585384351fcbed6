// `migrate bft` and `migrate status`.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationStatus, PlannedStep, Step } from '../../migrate/index.js';
import { argumentList, defineCommand, flagList, requiredFlag, switchFlag, type Command } from '../command.js';
import { onPath } from '../../on-path.js';
import { CommandError, UsageError, withPrefix } from '../errors.js';
import { jsonText, printText, readInput, writeOutput } from '../files.js';
import { ALLOW, JSON_FLAG, NETWORK, type NetworkFlags } from '../flags.js';
import type { ReadConfig } from '../inputs.js';
import type { Io } from '../io.js';
import { kind, text } from '../kinds.js';

const CHANNELS = {
  channel: argumentList(
    text,
    'The newest config block of each channel, or its ledger or network, as for fetch.',
  ),
};

/** `CONSENTER=FILE` */
const identity = kind((given, name) => {
  const [, consenter, file] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  if (consenter === undefined || file === undefined)
    throw new UsageError(`--${name} ${JSON.stringify(given)} must be CONSENTER=FILE`);
  return { consenter, file };
});

const BFT_FLAGS = {
  identity: flagList(
    identity,
    'CONSENTER=FILE: the certificate (PEM) with which the orderer of a consenter signs. The consenter is its HOST:PORT or its position in the list (may be repeated).',
  ),
  sign: switchFlag(
    'Review each update against the config that it is made for and sign it, with the identity of --msp or the profile.',
  ),
  allow: ALLOW,
  output: requiredFlag(text, 'The folder for the updates; it is created.', { short: 'o' }),
  network: NETWORK,
};

const bft = defineCommand({
  name: 'migrate bft',
  help: 'Writes the config updates that move channels from Raft to BFT, a folder for each step, and prints what to do between the steps. It submits nothing.',
  example: 'migrate bft config_block.pb --identity o1:7050=o1.pem -o plan',
  flags: BFT_FLAGS,
  arguments: CHANNELS,
  async run({ channel: sources, ...values }, io) {
    const { planBft, STEPS } = await import('../../migrate/index.js');
    const identities = values.identity.map(({ consenter, file }) => ({
      consenter,
      certificate: readInput(file, io),
    }));
    const now = new Date();
    const plans: { readonly channel: Channel; readonly steps: readonly PlannedStep[] }[] = [];
    for (const source of sources) {
      const channel = await readChannel(source, values.network, io);
      await checkFileName(
        channel,
        plans.map((each) => each.channel),
      );
      const steps = await withPrefix(source, async () =>
        planBft(channel.config, identities, channel.channel, now),
      );
      plans.push({ channel, steps });
    }
    const { signMade } = await import('../sign-update.js');
    const { channelOf } = await import('../../channel/index.js');
    const allowed = new Set([...values.allow, ...PLANNED]);
    const folderOf = (step: Step): string => join(values.output, `${STEPS.indexOf(step) + 1}-${step}`);
    const files: { readonly folder: string; readonly name: string; readonly bytes: Uint8Array }[] = [];
    for (const { channel, steps } of plans)
      for (const { step, base, envelope } of steps) {
        const block = { ...channel, path: channel.source, config: base };
        const sign = async (): Promise<Uint8Array> =>
          signMade(envelope, { block, allowed, isShown: false }, values.network, io);
        const bytes = values.sign ? await withPrefix(`step ${step} of ${channel.channel}`, sign) : envelope;
        files.push({ folder: folderOf(step), name: `${channel.channel}.pb`, bytes });
      }
    for (const { folder, name, bytes } of files) {
      onPath('create', folder, () => mkdirSync(folder, { recursive: true }));
      writeOutput(join(folder, name), bytes, io);
    }
    const steps = STEPS.filter((step) => plans.some((each) => each.steps.some((one) => one.step === step)));
    const lines = steps.flatMap((step) => [
      ...BEFORE[step].map((each) => `check: ${each}`),
      ...othersSign(
        step,
        plans.map(({ channel }) => channelOf(channel.config)),
        folderOf(step),
      ),
      `configtxlator submit ${folderOf(step)}${step === 'normal' ? ' --allow bft-not-restarted' : ''}`,
    ]);
    const { documentText, listOf } = await import('../../documents/index.js');
    const document = {
      title: `from Raft to BFT: ${plans.map(({ channel }) => channel.channel).join(', ')}`,
      blocks: [listOf([...lines, 'configtxlator migrate status CHANNEL shows the next step at any time'])],
    };
    printText(documentText(document, io.display), io);
  },
});

/** Dangers that the plan names itself, before the step with each of them. */
const PLANNED = ['bft-not-restarted'] as const;

const status = defineCommand({
  name: 'migrate status',
  help: 'Shows the progress of the migration to BFT for each channel and each of its orderers, and the next step.',
  example: 'migrate status grpcs://orderer1.example.com:7050/ch1',
  flags: { json: JSON_FLAG, network: NETWORK },
  arguments: CHANNELS,
  async run({ channel: sources, json, network }, io) {
    const { migrationDocument, migrationStatus } = await import('../../migrate/index.js');
    const found: MigrationStatus[] = [];
    for (const source of sources) {
      const {
        channel,
        number = 0n,
        config,
        orderers = [],
        anchored,
      } = await readChannel(source, network, io);
      const reached = migrationStatus(config, orderers, channel, number);
      found.push({ ...reached, ...(anchored !== undefined && { anchored }) });
    }
    const { documentsText } = await import('../../documents/index.js');
    const written = (): string => documentsText(found.map(migrationDocument), io.display);
    printText(json ? jsonText(found) : written(), io);
  },
});

/** The commands for migrations. */
export const MIGRATE_COMMANDS: readonly Command[] = [bft, status];

/** A channel and the source of its config. */
type Channel = ReadConfig & { readonly source: string; readonly channel: string };

async function readChannel(source: string, network: NetworkFlags, io: Io): Promise<Channel> {
  const { readConfigInput } = await import('../inputs.js');
  const file = await readConfigInput(source, network, io);
  if (file.channel === undefined)
    throw new CommandError(
      `${source} is a config without a header, so its channel is unknown: give a config block`,
    );
  return { ...file, source, channel: file.channel };
}

/** Checks that a channel name can be a file name. @throws CommandError if it cannot, or if another source is the same channel */
async function checkFileName({ source, channel }: Channel, others: readonly Channel[]): Promise<void> {
  const { CHANNEL_NAMES, isChannelName } = await import('../../channel/index.js');
  if (!isChannelName(channel))
    throw new CommandError(
      `${source}: the channel name ${JSON.stringify(channel)} cannot be a file name: ${CHANNEL_NAMES}`,
    );
  const other = others.find((each) => each.channel === channel);
  if (other !== undefined)
    throw new CommandError(`${other.source} and ${source} are the same channel, ${channel}: give it once`);
}

/** The organisations of a channel. */
interface ChannelOrganizations {
  readonly organizations: readonly unknown[];
  readonly orderer: { readonly organizations: readonly unknown[] };
}

/** When others sign a step: the capability is a change of the whole channel, the other steps are changes of the orderers. */
function othersSign(
  step: Step,
  channels: readonly ChannelOrganizations[],
  folder: string,
): readonly string[] {
  const isOfChannel = step === 'capability';
  const count = Math.max(
    ...channels.map(
      ({ organizations, orderer }) => (isOfChannel ? organizations : orderer.organizations).length,
    ),
  );
  if (count < 2) return [];
  const who = `an administrator of each further organisation${isOfChannel ? '' : ' of the orderers'}`;
  return [`signatures: ${who} runs configtxlator sign ${folder}`];
}

/** Checks for users before each step. */
const BEFORE: Readonly<Record<Step, readonly string[]>> = {
  capability: ['all orderers and all peers run Fabric 3.0 or newer: older ones stop at V3_0'],
  maintenance: ['all clients have stopped sending transactions'],
  bft: ['all orderers and peers are backed up: after this step, only the backups allow a return to Raft'],
  normal: ['all orderers are restarted: one that still runs Raft would accept this step, and stop all peers'],
};
