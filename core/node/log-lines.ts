// The lines in the log of a node that say why it fails: the warnings and errors since its last start.

import { stripVTControlCharacters } from 'node:util';

/** The most lines, and their longest length in UTF-16 units. */
const SHOWN = { lines: 10, length: 500 };

/** A level of Fabric's formats (console, JSON, logfmt), or the beginning of what Go writes when a program crashes. */
const IMPORTANT =
  /\b(?:WARN|ERRO|ERROR|PANI|PANIC|FATA|FATAL)\b|"level":"(?:warn|error|dpanic|panic|fatal)"|\blevel=(?:warn|error|dpanic|panic|fatal)\b|^(?:panic: |fatal error: |SIG[A-Z]+: )/;

/**
 * What a peer and an orderer log at each start, in every format, if they log at the level info (Fabric: internal/peer/node/start.go, `serve`;
 * orderer/common/server/main.go, `prettyPrintStruct`).
 */
const START = /Starting peer:|Orderer config values:/;
/** A line of Fabric's default format, which has a sequence number, and the first line of a program (Fabric: common/flogging/global.go). */
const NUMBERED = /:\d\d\.\d{3} \S+ [0-9a-f]{4,} [A-Z]{4}\b/;
const FIRST = /:\d\d\.\d{3} \S+ 0001 [A-Z]{4}\b/;

/** What differs between lines that say the same: times, sequence numbers, durations, ports of clients, ids. */
const VARIABLE: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?|"ts":[^,]*|\bts=\S+/g, ''],
  [/\b[0-9a-f]{3,} (?=[A-Z]{4}\b)|(?<=\b(?:WARN|ERRO|PANI|FATA) )[0-9a-f]{3,}\b/g, ''],
  [/#\d+/g, '#'],
  [/\b\d+(?:\.\d+)?(?:ns|µs|ms|s|m|h)(?:\d+(?:\.\d+)?(?:ms|s|m))*(?!\w)/g, 'TIME'],
  [/:\d+(?=->)/g, ''],
  [/(\b(?:for|from) \S+|(?:remote|peer_)address[=:"]+\S+):\d+/g, '$1'],
  [/\b(?:0x)?[0-9a-f]{12,}\b/g, 'ID'],
];

/** A failed connection of gRPC since Fabric 3.1; the code that wanted it logs the same error. */
const FAILED_DIAL = /grpc: addrConn\.createTransport failed to connect .*? desc = \\?"([^"\\]*)/;
/** What a peer logs after each reason why it has lost an orderer. */
const RECONNECT = /Disconnected from ordering service\. Attempt to re-connect in/;
const LOST_ORDERER = /Could not connect to ordering service|Failure in processing incoming messages/;

/**
 * The warnings and errors since the last start of the node, without colours, newest first. Lines that say the same are one, with their
 * number: `… × 12`. If the start cannot be found, the whole text counts.
 */
export function importantLines(text: string): string[] {
  const lines = text.split('\n').map((line) => stripVTControlCharacters(line).trimEnd().slice(0, MAX_LENGTH));
  const found = new Map<string, { readonly line: string; readonly count: number }>();
  for (const line of lines.slice(lastStart(lines))) {
    if (!IMPORTANT.test(line)) continue;
    const said = withoutVariables(line);
    const count = (found.get(said)?.count ?? 0) + 1;
    // The newest one is at the end of the map.
    found.delete(said);
    found.set(said, { line, count });
  }
  const all = [...found.keys()];
  return [...found]
    .filter(([said]) => !isSaidElsewhere(said, all))
    .slice(-SHOWN.lines)
    .toReversed()
    .map(([, { line, count }]) => `${shortened(line)}${count > 1 ? ` × ${count}` : ''}`);
}

/** Long enough to see that a line is longer than the ones that are shown. */
const MAX_LENGTH = SHOWN.length + 1;

const shortened = (line: string): string =>
  (line.length > SHOWN.length ? `${line.slice(0, SHOWN.length)}…` : line).toWellFormed();

/** The index of the first line of the last start; 0 if there is none. */
function lastStart(lines: readonly string[]): number {
  const first = lines.findLastIndex((line) => FIRST.test(line));
  const named = lines.findLastIndex((line) => START.test(line));
  // With sequence numbers, the lines before that message belong to the same start.
  const hasNumbers = named !== -1 && NUMBERED.test(lines[named]!);
  return Math.max(0, hasNumbers ? first : Math.max(first, named));
}

function withoutVariables(line: string): string {
  let said = line;
  for (const [pattern, replacement] of VARIABLE) said = said.replace(pattern, replacement);
  return said;
}

/** Whether a line belongs to another line about the same attempt, which has the reason. */
function isSaidElsewhere(said: string, all: readonly string[]): boolean {
  if (RECONNECT.test(said)) return all.some((other) => LOST_ORDERER.test(other));
  const reason = FAILED_DIAL.exec(said)?.[1];
  return reason !== undefined && all.some((other) => !FAILED_DIAL.test(other) && other.includes(reason));
}
