// The last known facts about a node that fails, and the channels that work. Runs in browsers.

import type { ChannelStatus, NodeStatus, StatusDocument } from '../document.js';
import { listText, messageOf } from './words.js';

/** How a node fails, and its log line; undefined: it is not monitored. */
export function clueOf(name: string | undefined, document: StatusDocument): string | undefined {
  const node = document.nodes.find((each) => each.name === name);
  if (node === undefined) return undefined;
  const text = [failureText(node), logText(node)].filter((each) => each !== '').join(' · ');
  return text === '' ? undefined : text;
}

/** How a node fails, in a few words; empty: it is up. */
function failureText({ up, state, refused, reason = '' }: NodeStatus): string {
  if (refused === true) return 'refuses connections';
  if (state === 'silent') return 'accepts no request in time';
  return up ? '' : withoutUrl(reason);
}

/** A reason without the URL of the request. */
export const withoutUrl = (reason: string): string => reason.replace(/^GET \S+: /, '');

/** The end of a node according to its log: the panic or fatal error, the signal, or that there is no panic. */
function logText({ log, state }: NodeStatus): string {
  if (log === undefined || log.problem !== undefined) return '';
  if (log.cause !== undefined) return `log: “${messageOf(log.cause)}”`;
  if (log.last === undefined || state !== 'down') return '';
  return log.ended === true ? `last log: “${messageOf(log.last)}”` : 'no panic logged';
}

/** A sentence about the channels that work; empty: none. @param one the verb for one channel @param many for several */
function workingSentence(channels: readonly ChannelStatus[], one: string, many: string): string {
  const working = channels.filter(({ verdict = '' }) => ['working', 'at-risk'].includes(verdict));
  if (working.length === 0) return '';
  const names = working.length > 3 ? `${working.length} channels` : listText(working.map(({ name }) => name));
  return `${names} ${working.length === 1 ? one : many}.`;
}

/** `ch1 works.`, `ch1 and ch2 work.` */
export const nowWorking = ({ channels }: StatusDocument): string =>
  workingSentence(channels, 'works', 'work');

/** `ch1 still works.` @param without these are not named */
export const stillWorking = ({ channels }: StatusDocument, without: readonly ChannelStatus[] = []): string =>
  workingSentence(
    channels.filter((each) => !without.includes(each)),
    'still works',
    'still work',
  );

/** `ch1 worked at the last check.` */
export const lastWorking = ({ channels }: StatusDocument): string =>
  workingSentence(channels, 'worked at the last check', 'worked at the last check');
