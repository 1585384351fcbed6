// One event for one cause: decides which failures other failures explain. Explained failures are not sent.

import {
  channelComponent,
  channelOf,
  isChannel,
  partsOf,
  type ComponentNames,
} from '../common/text/component.js';
import type { Severity } from '../contract/errors.js';
import type { Consenter } from '../fabric/channel.js';

/** Failures that may explain others. */
export interface KnownFailures extends ComponentNames {
  /** The severity of the failure of a component; undefined: the component works. */
  readonly severityOf: (component: string) => Severity | undefined;
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
  /** As in `DetailedPart`. */
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
  const found: string[] = follows === undefined || isChannel(follows) ? [] : [follows];
  for (const name of [component, follows])
    if (name !== undefined && known.nodes.includes(name)) found.push(...risksOf(name, known));
  const channel = channelIn(failure, known);
  if (channel !== undefined) {
    const ofChannel = channelComponent(channel);
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
      ? [channelComponent(channel)]
      : [],
  );

/** The channel that a failure is about: `follows`, or the part of a component, such as `ch1` of `orderer1/consensus/ch1`. */
export function channelIn(
  { component, follows = '' }: Pick<Explained, 'component' | 'follows'>,
  known: ComponentNames,
): string | undefined {
  return channelOf(follows) ?? (isChannel(component) ? undefined : partsOf(component, known).channel);
}
