// The lines of a log as the node wrote them, without what container engines, docker compose, kubectl and the journal add to each line.

import { stripVTControlCharacters } from 'node:util';
import { parseForeignJson } from '../common/text/foreign-json.js';

/** A line of a log, without colours. */
export interface LogLine {
  readonly text: string;
  /** The container, if each line names one, as with docker compose and `kubectl logs --prefix`; empty: none is named. */
  readonly container: string;
}

/** A format can contain another one, such as that of docker compose in the journal. */
const MAX_LAYERS = 3;

/** A line, or a piece of one. */
interface Piece extends LogLine {
  /** `stdout` or `stderr`, whose pieces do not mix; empty: unknown. */
  readonly stream: string;
  /** Whether the next piece of the stream continues the line. */
  readonly continues: boolean;
}

/** Reads one format. @returns undefined: the line has another one */
type Unwrap = (text: string) => Partial<Piece> | undefined;

/** A line of Fabric's own format json. */
const OWN_JSON = /^\{"level":"/;
/** The member with the message: `log` of Docker, `MESSAGE` of the journal, `message` of log shippers; a string, or bytes (journalctl). */
const MESSAGE = /[{,]\s*"(?:log|MESSAGE|message)"\s*:\s*("[^"\\]*(?:\\.[^"\\]*)*"|\[[\d,\s]*\])/;
const STREAM = /"stream"\s*:\s*"(\w+)"/;

/** @param hasLineEnds whether messages end with a line end, as those of Docker do: one without it is a piece of a line */
const unwrapJson =
  (hasLineEnds: boolean): Unwrap =>
  (line) => {
    if (!line.startsWith('{') || OWN_JSON.test(line)) return undefined;
    const message = MESSAGE.exec(line)?.[1];
    if (message === undefined) return undefined;
    try {
      const value = parseForeignJson(message) as string | number[];
      const text = typeof value === 'string' ? value : Buffer.from(value).toString();
      const ends = text.endsWith('\n');
      return {
        text: ends ? text.slice(0, -1) : text,
        stream: STREAM.exec(line)?.[1] ?? '',
        continues: hasLineEnds && !ends,
      };
    } catch {
      return undefined;
    }
  };

/** Kubernetes and Podman: a line in pieces has the tag `P` in all pieces but the last one. */
const CRI = /^\d{4}-\d\d-\d\dT\S+ (stdout|stderr) ([FP])(?::\S*)?(?: (.*))?$/s;
const unwrapCri: Unwrap = (line) => {
  const [, stream, tag, text = ''] = CRI.exec(line) ?? [];
  return stream === undefined ? undefined : { text, stream, continues: tag === 'P' };
};

/**
 * `docker logs --timestamps` and `kubectl logs --timestamps`. Without nanoseconds, it may be the time of a format of Fabric that the user has set.
 */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7,9}(?:Z|[+-]\d\d:\d\d)(?: (.*))?$/s;
const unwrapTimestamp: Unwrap = (line) => {
  const found = TIMESTAMP.exec(line);
  return found === null ? undefined : { text: found[1] ?? '' };
};

/** `journalctl --output short…` and syslog: the time, the host, the program and its process id. */
const JOURNAL =
  /^(?:\p{L}{3,5}\.? [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|\p{L}{2,5}\.? \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? \S+|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)|\d+\.\d{6}|\[ *\d+\.\d{6}\]) \S+ [^\s:[\]]+\[\d+\]:(?: (.*))?$/su;
const unwrapJournal: Unwrap = (line) => {
  const found = JOURNAL.exec(line);
  return found === null ? undefined : { text: found[1] ?? '' };
};

/** `kubectl logs --prefix`: `[pod/orderer1-0/orderer] …` */
const POD = /^\[pod\/([^\]\s]+)\](?: (.*))?$/s;
const unwrapPod: Unwrap = (line) => {
  const [, container, text = ''] = POD.exec(line) ?? [];
  return container === undefined ? undefined : { text, container };
};

/** `docker compose logs` and `docker service logs`: `orderer-1  | …`. A word in capitals is a level. */
const COMPOSE = /^(?![A-Z]+ )([A-Za-z0-9][\w.@-]*) +\|(?: (.*))?$/s;
const unwrapCompose: Unwrap = (line) => {
  const [, container, text = ''] = COMPOSE.exec(line) ?? [];
  return container === undefined ? undefined : { text, container };
};

/** The lines of a log, unwrapped; undefined if no line has one of the formats. */
function unwrappedOnce(lines: readonly LogLine[]): LogLine[] | undefined {
  const full = lines.filter(({ text }) => text !== '');
  // A single line with a bar may be a table.
  const isCompose = full.filter(({ text }) => COMPOSE.test(text)).length * 2 > full.length;
  const hasLineEnds = full.some(({ text }) => /^\{.*\\n"/.test(text));
  const formats = [
    unwrapJson(hasLineEnds),
    unwrapCri,
    unwrapTimestamp,
    unwrapJournal,
    unwrapPod,
    ...(isCompose ? [unwrapCompose] : []),
  ];
  let isUnwrapped = false;
  const pieces = lines.map((line): Piece => {
    for (const unwrap of formats) {
      const found = unwrap(line.text);
      if (found === undefined) continue;
      isUnwrapped = true;
      return { stream: '', continues: false, ...line, ...found };
    }
    return { ...line, stream: '', continues: false };
  });
  return isUnwrapped ? linesIn(pieces) : undefined;
}

/** Joins the pieces of lines. */
function linesIn(pieces: readonly Piece[]): LogLine[] {
  const begun = new Map<string, { readonly container: string; readonly texts: string[] }>();
  const add = (container: string, text: string): LogLine[] =>
    text.split('\n').map((line) => ({ text: plain(line), container }));
  const lines = pieces.flatMap(({ text, container, stream, continues }) => {
    const key = JSON.stringify([container, stream]);
    const before = begun.get(key) ?? { container, texts: [] };
    before.texts.push(text);
    if (continues) {
      begun.set(key, before);
      return [];
    }
    begun.delete(key);
    return add(container, before.texts.join(''));
  });
  return [...lines, ...[...begun.values()].flatMap(({ container, texts }) => add(container, texts.join('')))];
}

/** A line without colours, also as rsyslog escapes them, and without the carriage return of a terminal. */
const plain = (line: string): string =>
  stripVTControlCharacters(line)
    .replaceAll(/#033\[[\d;]{0,20}m/g, '')
    .replace(/\r$/, '');

/**
 * The lines of a log. Lines with a format that is not known stay as they are. Takes time and memory in proportion to the text.
 */
export const logLinesIn = (text: string): readonly LogLine[] => unwrapped(text).lines;

/** The text of a log, unwrapped; a text without such formats is not changed. Lines of a container begin with its name. */
export function logTextOf(text: string): string {
  const { lines, layers } = unwrapped(text);
  if (layers === 0) return text;
  return lines
    .map((line) => (line.container === '' ? line.text : `${line.container} | ${line.text}`))
    .join('\n');
}

function unwrapped(text: string): { readonly lines: readonly LogLine[]; readonly layers: number } {
  let lines = text.split('\n').map((line): LogLine => ({ text: plain(line), container: '' }));
  for (let layers = 0; layers < MAX_LAYERS; layers += 1) {
    const next = unwrappedOnce(lines);
    if (next === undefined) return { lines, layers };
    lines = next;
  }
  return { lines, layers: MAX_LAYERS };
}
