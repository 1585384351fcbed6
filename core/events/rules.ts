// Rules of the outbox: failures of channels that another agent sends or that name no node yet, and an agent that is only slow.

import { AGENT } from '../health/index.js';
import type { SentEvent } from './new-event.js';
import type { OutboxControl, Rule, Wait } from './outbox.js';

/** How long another agent may need to deliver a failure, in milliseconds: it may notice it later, groups events, and is read every 5 s. */
const LIMIT = 20_000;
/** Most agents that are waited for, one after the other. */
const MAX_AGENTS = 2;
/** How long a channel may need until the nodes to name are known, in milliseconds: what a dead agent reported counts for 20 s. */
const UNNAMED_LIMIT = 22_000;

/** The agents of other hosts that come before this one. */
export interface EarlierAgents {
  /** The one that has delivered a failure of a channel in the same or a worse state; undefined: none. */
  delivererOf(channel: string, component: string, severity: string): string | undefined;
  /** Those that may deliver a failure of a channel, by name. */
  senders(channel: string, severity: string): readonly string[];
  /** Whether one of them sends what happens in a channel. */
  sendEventsOf(channel: string): boolean;
}

/**
 * While another agent has delivered the failure of a channel, or may still deliver it. The failure is sent if it does not, and if the receivers of
 * this agent have it in another state: those of the other agent may be others.
 */
export function sentElsewhere(agents: EarlierAgents): Rule<Wait & { readonly severity: string }> {
  let outbox: OutboxControl | undefined;
  return {
    attach: (control) => void (outbox = control),
    waitOf({ event: { component, severity, id }, subject: { isChannel, channel } }, before, now) {
      if (!isChannel || channel === undefined || outbox?.isKnown(id) === true) return undefined;
      const deliverer = agents.delivererOf(channel, component, severity);
      // It may deliver it again: when a channel at risk stops, it no longer reports it as delivered.
      if (deliverer !== undefined)
        return { since: now, severity, why: `the agent ${deliverer} has delivered it` };
      const since = before?.severity === severity ? before.since : now;
      const senders = agents.senders(channel, severity);
      if (now >= since + LIMIT * Math.min(senders.length, MAX_AGENTS)) return undefined;
      return { since, severity, why: `the agent ${senders[0]!} may deliver it` };
    },
    keeps(sent) {
      const channel = sharedChannelOf(sent);
      return channel !== undefined && agents.sendEventsOf(channel);
    },
  };
}

/** The channel of an event of the state `info` that every agent with a node in the channel reports: another leader, or a config block. */
function sharedChannelOf({
  event: { fields },
  subject: { isChannel, channel },
}: SentEvent): string | undefined {
  if (isChannel) return 'leader' in fields ? channel : undefined;
  return 'block' in fields ? fields.channel : undefined;
}

/** While a channel lacks consenters and its reason names none, because that may be known soon. @param isUnnamed whether it is so */
export const unnamed = (isUnnamed: (channel: string) => boolean): Rule => {
  const isIncomplete = ({ subject: { isChannel, channel } }: SentEvent): boolean =>
    isChannel && channel !== undefined && isUnnamed(channel);
  return {
    isIncomplete,
    waitOf: (sent, before, now) =>
      isIncomplete(sent) && now < sent.beganAt + UNNAMED_LIMIT
        ? { since: before?.since ?? now, why: 'it is not known yet which consenters do not participate' }
        : undefined,
  };
};

/** While this agent is only slow: no check waits for a second result because of it. @param heldAt when one did, as `performance.now()` */
export const onlySlow = (heldAt: () => number): Rule => ({
  waitOf: ({ event: { component }, beganAt }, before, now) =>
    component === AGENT && heldAt() < beganAt - WINDOW
      ? { since: before?.since ?? now, why: 'no check was held because of it' }
      : undefined,
});

/** The lag of the agent is noticed within this time, in milliseconds. */
const WINDOW = 60_000;
