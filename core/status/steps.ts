// The next steps for a node that is down and for a channel. Checkers name the steps for their own failures; the runbook has more.

import type { NodeSettings } from '../../config/index.js';
import type { Step } from '../contract/index.js';
import { shellWord } from '../common/text/shell-word.js';
import { NO_CHANNEL, OTHER_KEY } from '../fabric/channel.js';
import type { ChannelStatus, ConsenterStatus, NodeStatus, Problem } from './document.js';

/** The data that steps depend on. */
export interface StepContext {
  readonly channels: readonly ChannelStatus[];
  readonly nodes: readonly Pick<NodeStatus, 'name' | 'log'>[];
  /** The settings of a node; undefined: it is not monitored. */
  readonly settingsOf: (node: string) => Pick<NodeSettings, 'log' | 'container'> | undefined;
}

/** The command line that starts, restarts or shows a node; undefined: the agent knows neither its systemd unit nor its container. */
function commandOf(
  verb: 'restart' | 'start' | 'status',
  node: string,
  { settingsOf }: StepContext,
): string | undefined {
  const { log, container } = settingsOf(node) ?? {};
  if (log !== undefined && 'unit' in log) return `systemctl ${verb} ${log.unit}`;
  if (container === undefined) return undefined;
  const name = shellWord(container.name);
  return verb === 'status'
    ? `${container.engine} ps --all --filter name=${name}`
    : `${container.engine} ${verb} ${name}`;
}

const startOf = (node: string, context: StepContext): Step => ({
  text: `Start ${node}.`,
  command: commandOf('start', node, context),
});

/** What Go writes if a write fails because the file system is full. */
const FULL = /no space left on device|disk quota exceeded/;

/** The step before the start of nodes that ended because their file system was full. */
function spaceSteps(names: readonly string[], { nodes }: StepContext): Step[] {
  const full = names.filter((each) => FULL.test(nodes.find(({ name }) => name === each)?.log?.cause ?? ''));
  return full.length === 0
    ? []
    : [
        {
          text: `Free space on the file system of ${andList(full)}: the log ends with “no space left on device”.`,
          command: 'df -h',
        },
      ];
}

/** The steps for a failed node or channel; empty: only the runbook has them. */
export function stepsFor(problem: Omit<Problem, 'steps'>, context: StepContext): readonly Step[] {
  const node = problem.node ?? '';
  if (problem.kind === 'channel') return channelSteps(problem, context);
  if (problem.kind === 'down') return [...spaceSteps([node], context), startOf(node, context)];
  if (problem.kind === 'changed')
    return [
      {
        text: `The configuration of ${node} was changed after the agent started: restart the agent.`,
        command: 'systemctl restart fabric-ops-agent',
      },
      { ...startOf(node, context), text: `If ${node} does not run, start it.` },
    ];
  if (problem.kind !== 'silent') return [];
  return [
    {
      text: `Check whether the process of ${node} is frozen, or its host is overloaded.`,
      command: commandOf('status', node, context),
    },
    {
      text: `If it is frozen, restart ${node}; if the host is overloaded, find what uses its CPU.`,
      command: commandOf('restart', node, context),
    },
  ];
}

/** The step for a channel in maintenance mode. */
const MIGRATION_STEPS: readonly Step[] = [
  {
    text: 'Find the next step of the migration with `configtxlator migrate status`; the last one ends the maintenance.',
  },
];

/** The consenters to start first: those whose process does not run. */
function channelSteps({ component }: Omit<Problem, 'steps'>, context: StepContext): readonly Step[] {
  const channel = context.channels.find(({ name }) => component.endsWith(`/${name}`));
  const migration = channel?.verdict === 'maintenance' ? MIGRATION_STEPS : [];
  const missing = (channel?.consenters ?? []).filter(({ state }) =>
    ['down', 'silent', 'absent'].includes(state),
  );
  const running = (channel?.consenters ?? []).filter(({ state }) => ['active', 'electing'].includes(state));
  if (channel === undefined || missing.length === 0) return migration;
  const lacking = Math.max(1, (channel.needed ?? 1) - running.length);
  const followers = missing.filter(({ outage }) => outage === OTHER_KEY);
  const removed = missing.filter(({ outage }) => outage === NO_CHANNEL);
  const others = missing.filter((each) => !followers.includes(each) && !removed.includes(each));
  return [
    ...spaceSteps(
      others.flatMap(({ node }) => node ?? []),
      context,
    ),
    ...startSteps(others, lacking, context),
    ...joinSteps(
      removed.map(({ name }) => name),
      channel.name,
    ),
    ...keySteps(followers.map(({ name }) => name)),
    ...migration,
  ];
}

/** The step for consenters that a start may help. @param lacking how many of all that are missing are enough */
function startSteps(missing: readonly ConsenterStatus[], lacking: number, context: StepContext): Step[] {
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name);
  const enough =
    missing.length > lacking
      ? `: ${lacking === 1 ? 'one' : lacking} of them ${lacking === 1 ? 'is' : 'are'} enough`
      : '';
  const [first] = missing;
  const areDown = missing.every(({ state }) => state === 'down');
  const what = areDown ? 'Start' : 'Start or restart';
  const verb = areDown ? 'start' : 'restart';
  return [
    {
      text: `${what} ${lacking < missing.length ? orList(names) : andList(names)}${enough}.`,
      command: first?.node === undefined ? undefined : commandOf(verb, first.node, context),
    },
  ];
}

/** The steps for consenters that run without the channel. */
const joinSteps = (names: readonly string[], channel: string): Step[] =>
  names.length === 0
    ? []
    : [
        {
          text: `Let ${andList(names)} join ${channel} again, with its newest config block and osnadmin channel join. If the removal was meant: remove ${names.length === 1 ? 'this orderer' : 'these orderers'} from the consenters with configtxlator consenter remove, or, if the channel has ended, unjoin its peers with peer node unjoin.`,
        },
      ];

/** The steps for consenters whose key was changed before the channel. */
function keySteps(names: readonly string[]): Step[] {
  if (names.length === 0) return [];
  return [
    {
      text: `Put back the certificate and the key that ${andList(names)} had (TLS with Raft, the signing identity with BFT), and restart ${names.length === 1 ? 'it' : 'them'}.`,
    },
    {
      text: 'When the channel works again, change its config with configtxlator consenter rotate and the new certificate, and wait for its block.',
    },
    { text: 'Only then use the new certificate and key, and restart.' },
  ];
}

const orList = (names: readonly string[]): string => listOf(names, 'or');
const andList = (names: readonly string[]): string => listOf(names, 'and');

const listOf = (names: readonly string[], word: string): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
