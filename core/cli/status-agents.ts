// The status of several agents, as one document: nodes of all of them, and channels merged by name.

import { mergeChannels } from '../channels/merge.js';
import type {
  ChannelStatus,
  ConsenterStatus,
  NodeStatus,
  Problem,
  StatusDocument,
} from '../status/document.js';
import { readStatus } from '../status/read.js';
import { stepsFor } from '../status/index.js';
import { verdictText } from '../status/answer/index.js';
import { BAD_VERDICTS } from './status-lines.js';
import type { StatusReport } from './status-report.js';

/** A document with the name of its agent. */
interface Named {
  readonly agent: string;
  readonly document: StatusDocument;
}

/** Several agents as one document; without the agents that have none. */
export function mergeReports(reports: readonly StatusReport[]): StatusDocument {
  const documents = withNames(reports).map(qualified);
  const all = <Member>(membersOf: (document: StatusDocument) => readonly Member[]): Member[] =>
    documents.flatMap(membersOf);
  const { agent } = readStatus('{}');
  const channels = mergeChannels(documents);
  const others = all(({ problems }) => problems).filter(({ kind }) => kind !== 'channel');
  return {
    time: reports[0]?.time ?? '',
    agent: { ...agent, notes: all((document) => document.agent.notes) },
    problems: [
      ...channelProblems(
        channels,
        all(({ nodes }) => nodes),
      ),
      ...others,
    ],
    checks: all(({ checks }) => checks),
    unconfirmed: all(({ unconfirmed }) => unconfirmed),
    nodes: all(({ nodes }) => nodes),
    warnings: all(({ warnings }) => warnings),
    channels,
    certificates: all(({ certificates }) => certificates),
    engines: all(({ engines }) => engines),
    levels: all(({ levels }) => levels),
    plugins: all(({ plugins }) => plugins),
    sinks: all(({ sinks }) => sinks),
    notifiers: all(({ notifiers }) => notifiers),
    silences: all(({ silences }) => silences),
    // They are the other agents of the status.
    agents: [],
  };
}

/** The failures of the verdicts over all agents: one agent knows too few consenters. */
const channelProblems = (channels: readonly ChannelStatus[], nodes: readonly NodeStatus[]): Problem[] =>
  channels
    .filter(({ verdict }) => BAD_VERDICTS.has(verdict))
    .map(({ name, verdict = '', reason = '', since = '' }) => {
      const isStopped = verdict === 'stopped';
      const problem = {
        component: `channels/${name}`,
        kind: 'channel',
        state: isStopped ? 'failed' : 'warning',
        severity: isStopped ? 'critical' : 'warning',
        reason: `${verdictText(verdict)}: ${reason}`,
        since,
        runbook: isStopped ? 'FabricChannelStopped' : 'FabricChannelAtRisk',
      };
      return { ...problem, steps: stepsFor(problem, { channels, nodes, settingsOf: () => undefined }) };
    });

/** Each document with the host of its agent, or with the address in its URL if several agents have this host. */
function withNames(reports: readonly StatusReport[]): Named[] {
  const found = reports.flatMap(({ document, url }) => (document === undefined ? [] : [{ document, url }]));
  const hosts = found.map(({ document }) => document.agent.host);
  return found.map(({ document, url }) => {
    const { host } = document.agent;
    const isUnique = host !== undefined && hosts.filter((each) => each === host).length === 1;
    return { agent: isUnique ? host : new URL(url).host, document };
  });
}

/**
 * A document whose names begin with the name of the agent: `host2/orderer`. A node keeps its name if no other agent has a node with this name.
 */
function qualified({ agent, document }: Named, _index: number, all: readonly Named[]): StatusDocument {
  const others = new Set(
    all.flatMap((each) => (each.document === document ? [] : each.document.nodes.map(({ name }) => name))),
  );
  const own = new Set(document.nodes.map(({ name }) => name));
  const node = (name: string): string => (others.has(name) ? `${agent}/${name}` : name);
  const component = (name: string): string => {
    const first = name.split('/', 1)[0] ?? '';
    if (own.has(first)) return others.has(first) ? `${agent}/${name}` : name;
    return first === 'channels' ? name : `${agent}/${name}`;
  };
  const check = <Check extends { readonly component: string }>(each: Check): Check => ({
    ...each,
    component: component(each.component),
  });
  const problem = ({ node: of, cause, ...each }: Problem): Problem => ({
    ...check(each),
    ...(cause !== undefined && { cause: component(cause) }),
    ...(of !== undefined && { node: node(of) }),
  });
  const consenter = ({ node: of, name, ...each }: ConsenterStatus): ConsenterStatus =>
    of === undefined ? { ...each, name } : { ...each, name: node(name), node: node(of) };
  const named = <Member extends { readonly name: string }>(each: Member): Member => ({
    ...each,
    name: `${agent}/${each.name}`,
  });
  return {
    ...document,
    agent: { ...document.agent, notes: document.agent.notes.map((note) => `${agent}: ${note}`) },
    problems: document.problems.map(problem),
    unconfirmed: document.unconfirmed.map(check),
    nodes: document.nodes.map((each) => ({
      ...each,
      name: node(each.name),
      failed_checks: each.failed_checks.map(check),
      warnings: each.warnings.map(check),
    })),
    warnings: document.warnings.map(check),
    channels: document.channels.map((channel) => ({
      ...channel,
      consenters: channel.consenters.map(consenter),
      nodes: channel.nodes.map((each) => ({ ...each, node: node(each.node) })),
    })),
    certificates: document.certificates.map(check),
    engines: document.engines.map(check),
    levels: document.levels.map((level) => ({
      ...level,
      name: own.has(level.name) ? node(level.name) : `${agent}/${level.name}`,
    })),
    plugins: document.plugins.map(named),
    sinks: document.sinks.map(named),
    notifiers: document.notifiers.map(named),
  };
}
