// Log patterns: text with verbs such as %{level:.4s}. Verbs, defaults and colors are the same as in Fabric (common/flogging/fabenc).

import { AgentError, type LevelName, type LogEntry } from '../../../core/contract/index.js';
import { onOneLine } from '../../../core/kit/index.js';
import { callerOf } from './caller.js';
import { formatFields } from './fields.js';
import { compileIntegerFormat, compileStringFormat } from './go-format.js';
import { compileLayout } from './go-time.js';

/** The default pattern. */
export const DEFAULT_PATTERN =
  '%{color}%{time:2006-01-02 15:04:05.000 MST} %{id:04x} %{level:.4s}%{color:reset} [%{module}] %{color:bold}%{shortfunc}%{color:reset} -> %{message}';

/** Formats an entry as a line with a newline. */
export type EntryFormatter = (entry: LogEntry) => string;

type Verb = (entry: LogEntry) => string;
/** The state of one pattern. */
interface PatternState {
  readonly colors: boolean;
  /** The next value of `%{id}`. */
  readonly nextId: () => number;
}
type VerbCompiler = (option: string, state: PatternState) => Verb;

const DEFAULT_TIME_LAYOUT = '2006-01-02T15:04:05.999Z07:00';

const COLORS: Readonly<Record<LevelName, string>> = {
  payload: '0',
  debug: '36',
  info: '34',
  warn: '33',
  error: '31',
  dpanic: '35',
  panic: '35',
  fatal: '35',
};

const VERBS: ReadonlyMap<string, VerbCompiler> = new Map<string, VerbCompiler>([
  ['color', compileColor],
  ['id', compileId],
  ['level', (option) => compileText(option, 'level', ({ level }) => level.toUpperCase())],
  ['message', (option) => compileText(option, 'message', ({ message }) => withoutLineEnds(message))],
  ['module', (option) => compileText(option, 'module', ({ name }) => name)],
  ['shortfunc', (option) => compileText(option, 'shortfunc', (entry) => callerOf(entry).shortFunction)],
  ['time', (option) => compileTime(option)],
]);

/**
 * Compiles a pattern. Unknown and unterminated verbs are kept as text.
 *
 * @param colors whether `%{color}` writes anything
 * @throws AgentError `LOG_FORMAT_INVALID` for an invalid option of a verb
 */
export function compilePattern(pattern: string, colors: boolean): EntryFormatter {
  const parts: (string | Verb)[] = [];
  let id = 0;
  const state = { colors, nextId: () => (id += 1) };
  let end = 0;
  for (const { 0: text, 1: name = '', 2: option = '', index } of pattern.matchAll(
    /%\{([a-z]+)(?::([^}]*))?\}/g,
  )) {
    const compile = VERBS.get(name);
    if (compile === undefined) continue;
    parts.push(pattern.slice(end, index), compile(option, state));
    end = index + text.length;
  }
  parts.push(pattern.slice(end));
  return (entry) => {
    let line = '';
    for (const part of parts) line += typeof part === 'string' ? part : part(entry);
    const fields = entry.fields === undefined ? '' : formatFields(entry.fields);
    return fields === '' ? `${line}\n` : `${line} ${fields}\n`;
  };
}

function compileColor(option: string, { colors }: PatternState): Verb {
  if (!['', 'bold', 'reset'].includes(option))
    throw new AgentError('LOG_FORMAT_INVALID', `invalid color option: ${option}; must be bold or reset`);
  if (!colors) return () => '';
  if (option === 'reset') return () => '\u001b[0m';
  return ({ level }) => `\u001b[${COLORS[level]}${option === 'bold' ? ';1' : ''}m`;
}

function compileId(option: string, { nextId }: PatternState): Verb {
  const format = compileIntegerFormat(option === '' ? 'd' : option);
  if (format === undefined) throw invalidOption('id', option, 'an integer format such as 04x');
  return () => format(nextId());
}

function compileText(option: string, verb: string, read: Verb): Verb {
  const format = compileStringFormat(option === '' ? 's' : option);
  if (format === undefined) throw invalidOption(verb, option, 'a string format such as .4s or q');
  return (entry) => onOneLine(format(read(entry)));
}

function compileTime(option: string): Verb {
  const format = compileLayout(option === '' ? DEFAULT_TIME_LAYOUT : option);
  return ({ time }) => format(time);
}

function invalidOption(verb: string, option: string, allowed: string): AgentError {
  return new AgentError(
    'LOG_FORMAT_INVALID',
    `invalid option '${option}' of %{${verb}} in the log format: must be ${allowed}`,
  );
}

/** Removes the line ends at the end of a message. A regular expression would try each of them as the start of a match. */
function withoutLineEnds(message: string): string {
  let end = message.length;
  while (message.charAt(end - 1) === '\n') end -= 1;
  return message.slice(0, end);
}
