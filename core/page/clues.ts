// The last known facts about a node that fails, in a few words. Works without a browser.

import type { ChannelStatus, NodeStatus, StatusDocument } from '../status/document.js';
import { listText, messageOf } from './words.js';

/** How a node fails, and its log line; undefined: it is not monitored. */
export function clueOf(name: string | undefined, document: StatusDocument): string | undefined {
  const node = document.nodes.find((each) => each.name === name);
  if (node === undefined) return undefined;
  const text = [failureText(node), logText(node)].filter((each) => each !== '').join(' · ');
  return text === '' ? undefined : text;
}

/** How a node fails, in a few words. */
export function failureText({ state, reason = '' }: NodeStatus): string {
  if (/ECONNREFUSED|connection refused/i.test(reason)) return 'refuses connections';
  if (state === 'silent') return 'accepts no request in time';
  if (/certificate|TLS|401/i.test(reason)) return 'rejects the agent';
  return state === 'up' ? '' : withoutUrl(reason);
}

/** A reason without the URL of the request. */
export const withoutUrl = (reason: string): string => reason.replace(/^GET \S+: /, '');

/** A last line that says why the process ended. */
const ENDING = /signal|terminat|shut(?:ting)? ?down|killed/i;

/** The end of a node according to its log: the panic or fatal error, the signal, or that there is no panic. */
export function logText({ log, state }: NodeStatus): string {
  if (log === undefined || log.problem !== undefined) return '';
  if (log.cause !== undefined) return `log: “${messageOf(log.cause)}”`;
  if (log.last === undefined || state !== 'down') return '';
  return ENDING.test(log.last) ? `last log: “${messageOf(log.last)}”` : 'no panic in its log';
}

/** A sentence about the channels that work, after a space: ` ch1 still works.`; empty if none does. */
export function stillWorking({ channels }: StatusDocument, without: readonly ChannelStatus[]): string {
  const working = channels.filter(
    (each) => !without.includes(each) && ['working', 'at-risk'].includes(each.verdict ?? ''),
  );
  if (working.length === 0) return '';
  return ` ${working.length > 3 ? `${working.length} channels` : listText(working.map(({ name }) => name))} still ${working.length === 1 ? 'works' : 'work'}.`;
}
