// One event for one cause: decides which failures other failures explain. Explained failures are not sent.

import { isBelow, ownerOf } from '../common/text/component-owner.js';
import type { Severity } from '../contract/index.js';
import type { Consenter } from '../fabric/channel.js';
import { CHANNELS } from '../health/index.js';

/** Failures that may explain others. */
export interface KnownFailures {
  /** The severity of the failure of a component; undefined: the component works. */
  readonly severityOf: (component: string) => Severity | undefined;
  /** The names of the monitored nodes. */
  readonly nodes: readonly string[];
  /** The names of the checks: what follows them in the name of a component is a part. */
  readonly checks: readonly string[];
  /** By channel, the inactive consenters. */
  readonly channels: ReadonlyMap<string, readonly Consenter[]>;
  /** Whether the last event of a channel named a consenter that does not participate. */
  readonly isNamed: (channel: string, consenter: string) => boolean;
}

/** The failure that explains another one. */
export interface Explanation {
  readonly component: string;
  readonly severity: Severity;
}

/** A failed check. */
export interface Explained {
  readonly component: string;
  readonly severity: Severity;
  /** As in `FailedPart`. */
  readonly follows: string | undefined;
}

/**
 * The failure that explains another one:
 *
 * - a channel at risk or stopped explains the failures of nodes that its event named, while they do not participate
 * - a node, and such a channel, explain failures that name the node in `follows`
 * - a stopped channel explains all failures of nodes in it; a channel at risk, and a failed node, explain failures of the node in a channel if
 *   it is inactive there
 * - a channel at risk, and failed nodes that are inactive in it, explain warnings that name the channel in `follows`
 *
 * @returns the critical failure if there is one, else the first; undefined if nothing explains it
 */
export function explanationOf(failure: Explained, known: KnownFailures): Explanation | undefined {
  const { component, severity, follows } = failure;
  const { channels } = known;
  const { node } = partsOf(component, known);
  const isChannelNamed = follows?.startsWith(`${CHANNELS}/`) === true;
  const found: string[] = follows === undefined || isChannelNamed ? [] : [follows];
  for (const name of [component, follows])
    if (name !== undefined && known.nodes.includes(name)) found.push(...risksOf(name, known));
  const channel = channelIn(failure, known);
  if (channel !== undefined) {
    const ofChannel = `${CHANNELS}/${channel}`;
    const inactive = (channels.get(channel) ?? []).map(({ name }) => name);
    if (known.severityOf(ofChannel) === 'critical') return { component: ofChannel, severity: 'critical' };
    if (node !== undefined && inactive.includes(node)) found.push(ofChannel, node);
    if (follows !== undefined && severity === 'warning' && inactive.length > 0)
      found.push(ofChannel, ...inactive);
  }
  const explanations = found.flatMap((name): Explanation[] => {
    const ofCause = known.severityOf(name);
    return ofCause === undefined ? [] : [{ component: name, severity: ofCause }];
  });
  return explanations.find((each) => each.severity === 'critical') ?? explanations[0];
}

/** Returns true if other failures may explain a failure. */
export const isExplainable = (failure: Explained, known: KnownFailures): boolean =>
  failure.follows !== undefined || channelIn(failure, known) !== undefined;

/** The channels that have named a node in their events. */
const risksOf = (node: string, { channels, isNamed }: KnownFailures): string[] =>
  [...channels].flatMap(([channel, inactive]) =>
    isNamed(channel, node) && inactive.some(({ name, outage }) => name === node && outage !== undefined)
      ? [`${CHANNELS}/${channel}`]
      : [],
  );

/** The channel that a failure is about: `follows`, or the part of a component, such as `ch1` of `orderer1/consensus/ch1`. */
export function channelIn(
  { component, follows }: Pick<Explained, 'component' | 'follows'>,
  known: Pick<KnownFailures, 'channels' | 'checks' | 'nodes'>,
): string | undefined {
  if (follows?.startsWith(`${CHANNELS}/`) === true) return follows.slice(CHANNELS.length + 1);
  const { part } = partsOf(component, known);
  return part !== undefined && known.channels.has(part) ? part : undefined;
}

/** What the name of a component consists of: `orderer1/consensus/ch1` is the part `ch1` of a check of the node `orderer1`. */
export function partsOf(
  component: string,
  { nodes, checks }: Pick<KnownFailures, 'checks' | 'nodes'>,
): { readonly node: string | undefined; readonly part: string | undefined } {
  const node = ownerOf(component, nodes);
  // Without a known check it is one word after the node.
  const [word] = component.slice(node === undefined ? 0 : node.length + 1).split('/', 1);
  const check = ownerOf(component, checks) ?? (node === undefined ? word! : `${node}/${word}`);
  const part = component.slice(check.length + 1);
  return { node, part: part === '' || isBelow(check, CHANNELS) ? undefined : part };
}
