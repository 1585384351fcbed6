// The last known facts about a node that fails, and the channels that work. Runs in browsers.

import type { ChannelStatus, LogStatus, NodeStatus, StatusDocument } from '../document.js';
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

/** The level error in Fabric's formats (console, JSON, logfmt), and the message of a command that ends with an error. */
const ERROR = /\bERRO(?:R)?\b|^Error: |"level":"error"|\blevel=error\b/;

/** The end of a node according to its log: the panic or fatal error, the signal, the error in its last line, or that there is no panic. */
function logText({ log, state }: NodeStatus): string {
  if (log === undefined || log.problem !== undefined) return '';
  if (log.cause !== undefined) return `log: “${messageOf(log.cause)}”`;
  if (log.last === undefined || log.unknown !== undefined || state !== 'down') return '';
  // Before a process ends without a panic, its last line is the error, such as a port that is in use.
  const hasReason = log.ended === true || ERROR.test(log.last);
  return hasReason ? `last log: “${messageOf(log.last)}”` : 'no panic logged';
}

/** The formats of lines that the agent reads, see `core/nodes/log-format.ts`. */
const KNOWN_FORMATS =
  'known are those of Fabric, also as Docker (json-file), CRI, docker compose, kubectl, syslog and journalctl (short, cat, json) write them';

/** A note about a log besides its lines: why they are missing, or incomplete; undefined: nothing. */
export function logNote({ lines, last, started, unknown, problem }: LogStatus): string | undefined {
  if (problem !== undefined) return `cannot be read: ${problem}`;
  if (unknown !== undefined)
    return `warnings and errors may be missing, because lines have a format that is not known, such as “${unknown}”; ${KNOWN_FORMATS}`;
  if (lines.length > 0) return undefined;
  if (last === undefined) return 'it is empty';
  return started === true
    ? 'no warnings and no errors since its last start'
    : 'no warnings and no errors in the end that was read, which does not have the start of the node';
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
