// The lines in the log of a node that may explain why it fails: the warnings and errors since its last start.

import { appendTo } from '../common/group-by.js';
import { cutMiddle } from '../common/text/cut-middle.js';
import { withoutCertificates } from '../common/text/without-certificates.js';
import { logLinesIn, type LogLine } from './log-format.js';

/** Maximum number of lines, maximum length of a line, and of one in a format that is not known, in UTF-16 units. */
const SHOWN = { lines: 10, length: 500, unknown: 100 };

/** A level in Fabric's formats (console, JSON, logfmt), or the first words of a crash of a Go program. */
const IMPORTANT =
  /\b(?:WARN|ERRO|ERROR|PANI|PANIC|FATA|FATAL)\b|"level":"(?:warn|error|dpanic|panic|fatal)"|\blevel=(?:warn|error|dpanic|panic|fatal)\b|^(?:panic: |fatal error: |SIG[A-Z]+: )/;

/**
 * A message that a peer or an orderer logs at each start, in every format, at the level info (Fabric: internal/peer/node/start.go, `serve`;
 * orderer/common/server/main.go, `prettyPrintStruct`).
 */
const START = /Starting peer:|Orderer config values:/;
/** A line in Fabric's default format, with a sequence number, and the first line of a program (Fabric: common/flogging/global.go). */
const NUMBERED = /:\d\d\.\d{3} \S+ [0-9a-f]{4,} [A-Z]{4}\b/;
const FIRST = /:\d\d\.\d{3} \S+ 0001 [A-Z]{4}\b/;

/** Variable parts of equal lines: times, sequence numbers, durations, ports of clients, ids. */
const VARIABLE: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?|"ts":[^,]*|\bts=\S+/g, ''],
  [/\b[0-9a-f]{3,} (?=[A-Z]{4}\b)|(?<=\b(?:WARN|ERRO|PANI|FATA) )[0-9a-f]{3,}\b/g, ''],
  [/#\d+/g, '#'],
  [/\b\d+(?:\.\d+)?(?:ns|µs|ms|s|m|h)(?:\d+(?:\.\d+)?(?:ms|s|m))*(?!\w)/g, 'TIME'],
  [/:\d+(?=->)/g, ''],
  [/(\b(?:for|from) \S+|(?:remote|peer_)address[=:"]+\S+):\d+/g, '$1'],
  [/\b(?:0x)?[0-9a-f]{12,}\b/g, 'ID'],
];

/** A failed connection of gRPC since Fabric 3.1; the calling code logs the same error. */
const FAILED_DIAL = /grpc: addrConn\.createTransport failed to connect .*? desc = \\?"([^"\\]*)/;
/** A message of a peer after it has logged why it lost an orderer. */
const RECONNECT = /Disconnected from ordering service\. Attempt to re-connect in/;
const LOST_ORDERER = /Could not connect to ordering service|Failure in processing incoming messages/;

/** What a peer logs once at its start about a channel that it cannot load (Fabric: core/peer/peer.go, `Initialize`); shown whatever its age. */
const NOT_LOADED = /Failed to load (?:ledger|chain) /;

/** A panic or a fatal error. */
const CRASH =
  /\b(?:PANI|PANIC|FATA|FATAL)\b|"level":"(?:dpanic|panic|fatal)"|\blevel=(?:dpanic|panic|fatal)\b|^(?:panic: |fatal error: )/;

/** The message of a peer or an orderer that SIGTERM or SIGINT stops (Fabric: internal/peer/node/start.go, `handleSignals`). */
const STOPPED = /\bReceived signal: (?:15 \(terminated\)|2 \(interrupt\))/;
/** A last line that reports why the process ended. */
const ENDING = /signal|terminat|shut(?:ting)? ?down|killed/i;

/** The beginning of a line in Fabric's formats default, json and logfmt, or a level in a format that the user has set. */
const OWN =
  /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} |\{"level":"|[a-z]+=)|\b(?:DEBU|INFO|WARN|ERRO|DPAN|PANI|FATA|DEBUG|ERROR|DPANIC|PANIC|FATAL)\b|^(?:panic: |fatal error: |SIG[A-Z]+: )/;
/** A line in a format of Fabric after other text, in which a panic would not be found; and what journalctl writes instead of a line. */
const WRAPPED =
  /^(?!\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} |\{"level":"|[a-z]+=).*(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \S+ [0-9a-f]{4,} [A-Z]{4}\b|\{\\{0,15}"level\\{0,15}":|\bts=[\d.]+ level=)|^\[[\d.]+[BKMG]? blob data\]$/;

/** The lines in a log that may explain why a node fails, without colours. Of several containers, each begins with the name of its container. */
export interface LogLines {
  /**
   * The warnings and errors since the last start of the node, newest first. Equal lines are one line with their number: `… × 12`. If the
   * start cannot be found, the whole text counts.
   */
  readonly lines: string[];
  /** The last line of any level; undefined: there is none. */
  readonly last: string | undefined;
  /** Set if the last line reports that the process got a signal or ended. */
  readonly ended?: true;
  /** The newest panic or fatal error since the last start; undefined: there is none. */
  readonly cause: string | undefined;
  /** Set if the last start of the node, or of each container, is in the text. */
  readonly started?: true;
  /** The first line in a format that is not known: there may be warnings and errors that are not found. */
  readonly unknown?: string;
}

/** How a process ended, see {@link processEndOf}. */
export type ProcessEnd = 'crashed' | 'killed' | 'stopped';

/** Reads the lines of a log. */
export function logLinesOf(text: string): LogLines {
  const { lines, isStarted, isOfSeveral } = linesSinceStart(text);
  const shown = lines.map(({ text: line, container }) =>
    isOfSeveral && line !== '' ? `${container}: ${line}` : line,
  );
  const found = (pattern: RegExp): string[] => shown.filter((_, index) => pattern.test(lines[index]!.text));
  const last = shown.findLast((line) => line !== '');
  const cause = found(CRASH).at(-1);
  const isKnown = lines.some((line) => OWN.test(line.text));
  const unknown = isKnown ? found(WRAPPED)[0] : shown.find((line) => line !== '');
  return {
    lines: importantLines(found(IMPORTANT)),
    last: last && shortened(last),
    ...(last !== undefined && !isOfSeveral && ENDING.test(last) && { ended: true as const }),
    cause: cause && shortened(cause),
    ...(isStarted && { started: true as const }),
    ...(unknown !== undefined && { unknown: shortened(unknown, SHOWN.unknown) }),
  };
}

/** The lines of a log, none longer than is shown. */
const cutLinesIn = (text: string): readonly LogLine[] =>
  logLinesIn(text).map((line) => ({
    ...line,
    text: shortened(withoutCertificates(line.text).trimEnd()),
  }));

const containersOf = (lines: readonly LogLine[]): ReadonlySet<string> =>
  new Set(lines.map(({ container }) => container).filter((name) => name !== ''));

/** The lines of a log since the last start of its node, or since the last start of each of several containers. */
function linesSinceStart(text: string): {
  readonly lines: readonly LogLine[];
  readonly isStarted: boolean;
  readonly isOfSeveral: boolean;
} {
  const all = cutLinesIn(text);
  const isOfSeveral = containersOf(all).size > 1;
  const byContainer = new Map<string, number[]>();
  for (const [index, { container }] of all.entries())
    appendTo(byContainer, isOfSeveral ? container : '', index);
  let isStarted = true;
  const indexes = [...byContainer].flatMap(([name, own]) => {
    const start = lastStart(own.map((index) => all[index]!.text));
    if (start === -1 && (name !== '' || !isOfSeveral)) isStarted = false;
    return own.slice(Math.max(0, start));
  });
  const lines = indexes.toSorted((a, b) => a - b).map((index) => all[index]!);
  return { lines, isStarted, isOfSeveral };
}

function importantLines(lines: readonly string[]): string[] {
  const found = new Map<string, { readonly line: string; readonly count: number }>();
  for (const line of lines) {
    const text = withoutVariables(line);
    const count = (found.get(text)?.count ?? 0) + 1;
    // Moves it to the end of the map, which has the newest line last.
    found.delete(text);
    found.set(text, { line, count });
  }
  const all = [...found.keys()];
  const shown = [...found].filter(([text]) => !isRepeated(text, all));
  const others = shown.filter(([text]) => !NOT_LOADED.test(text));
  const lasting = shown.filter(([text]) => NOT_LOADED.test(text)).slice(-SHOWN.lines / 2);
  const newest = new Set([...lasting, ...others.slice(lasting.length - SHOWN.lines)]);
  return shown
    .filter((each) => newest.has(each))
    .toReversed()
    .map(([, { line, count }]) => `${shortened(line)}${count > 1 ? ` × ${count}` : ''}`);
}

const shortened = (line: string, length = SHOWN.length): string => cutMiddle(line, length + 1).toWellFormed();

/** The index of the first line of the last start; -1 if there is none. */
function lastStart(lines: readonly string[]): number {
  const first = lines.findLastIndex((line) => FIRST.test(line));
  const named = lines.findLastIndex((line) => START.test(line));
  // With sequence numbers, the start begins before that message.
  const hasNumbers = named !== -1 && NUMBERED.test(lines[named]!);
  return hasNumbers ? first : Math.max(first, named);
}

function withoutVariables(line: string): string {
  let text = line;
  for (const [pattern, replacement] of VARIABLE) text = text.replace(pattern, replacement);
  return text;
}

/** Returns true if another line about the same attempt has the reason. */
function isRepeated(text: string, all: readonly string[]): boolean {
  if (RECONNECT.test(text)) return all.some((other) => LOST_ORDERER.test(other));
  const reason = FAILED_DIAL.exec(text)?.[1];
  return reason !== undefined && all.some((other) => !FAILED_DIAL.test(other) && other.includes(reason));
}

/** The line with the last start in a log, which has its time; empty if there is none. */
export function lastStartIn(text: string): string {
  const lines = cutLinesIn(text).map((line) => line.text);
  return lines[lastStart(lines)] ?? '';
}

/**
 * How a process ended according to the log of its node: `stopped` by SIGTERM or SIGINT, which the node logs at the level info; `crashed`,
 * also if this is a process that was started after it; `killed`, if the log has its start and neither, also while it runs.
 *
 * @param start the start of the process, as {@link lastStartIn} found it while the process ran; a log without it begins later. @default the
 *   last start in the log
 * @returns undefined if the log has neither and not its start, or if it has the lines of several containers
 */
export function processEndOf(text: string, start?: string): ProcessEnd | undefined {
  const all = cutLinesIn(text);
  if (containersOf(all).size > 1) return undefined;
  const lines = all.map((line) => line.text);
  const first = start === undefined ? lastStart(lines) : start === '' ? 0 : lines.lastIndexOf(start);
  const since = lines.slice(Math.max(0, first));
  if (since.some((line) => CRASH.test(line))) return 'crashed';
  if (since.some((line) => STOPPED.test(line))) return 'stopped';
  return start !== undefined && start !== '' && first >= 0 ? 'killed' : undefined;
}
