// From the arguments of the program to a command with its values, or to a help text; errors are those of the reference.

import { asUsage, UsageError } from './errors.js';
import { checkInput, checkOutput } from './files.js';
import { parsePort, parseSize } from './numbers.js';
import type { Process } from './process.js';
import { COMMANDS, GLOBAL_FLAGS, HIDDEN_FLAGS, type Command, type Flag } from './table.js';
import { Tokens } from './tokens.js';
import { Values } from './values.js';

/** A help text that is asked for. */
export type HelpRequest =
  /** Of a command, or of the program. */
  | { readonly kind: 'help'; readonly command: Command | undefined }
  | { readonly kind: 'help-long' }
  | { readonly kind: 'help-man' };

/** What the arguments ask for. */
export type Parsed =
  HelpRequest | { readonly kind: 'command'; readonly command: Command; readonly values: Values };

/** Arguments in their parts, not checked yet. */
interface Parts {
  readonly command: Command | undefined;
  readonly given: readonly (readonly [Flag, string])[];
  readonly rest: readonly string[];
  readonly switches: ReadonlySet<string>;
}

/**
 * Reads the arguments of the program. What cannot be read as arguments comes before what is wrong with values, and these before
 * what is missing.
 *
 * @throws UsageError
 */
export function parse(args: readonly string[], process: Process): Parsed {
  const { command, given, rest, switches } = split(args);
  if (switches.has('help-long')) return { kind: 'help-long' };
  if (switches.has('help-man')) return { kind: 'help-man' };
  if (command === undefined || switches.has('help')) return { kind: 'help', command };
  if (command.load === undefined)
    return { kind: 'help', command: rest[0] === undefined ? undefined : findCommand(rest[0]) };
  checkValues(given, process);
  const values = new Values(given, rest, command.flags);
  for (const { name, isRequired } of command.flags)
    if (isRequired === true && values.optional(name) === undefined)
      throw new UsageError(`required flag --${name} not provided`);
  return { kind: 'command', command, values };
}

function split(args: readonly string[]): Parts {
  const tokens = new Tokens(args);
  const given: (readonly [Flag, string])[] = [];
  const rest: string[] = [];
  const switches = new Set<string>();
  let command: Command | undefined;
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token.kind === 'short') throw new UsageError(`unknown short flag '-${token.name}'`);
    if (token.kind === 'flag') {
      const flag = findFlag(command, token.name);
      if (flag.kind !== 'switch') given.push([flag, valueOf(token, tokens)]);
      // These two are shown whatever else is wrong.
      else if (HIDDEN_FLAGS.includes(flag)) return { command, given, rest, switches: new Set([flag.name]) };
      else switches.add(flag.name);
    } else if (command === undefined) command = findCommand(token.text);
    else if (takesWord(command, rest.length)) rest.push(token.text);
    else throw new UsageError(`unexpected ${token.text}`);
  }
  return { command, given, rest, switches };
}

function findFlag(command: Command | undefined, name: string): Flag {
  const flag = [...GLOBAL_FLAGS, ...HIDDEN_FLAGS, ...(command?.flags ?? [])].find(
    (each) => each.name === name,
  );
  if (flag === undefined) throw new UsageError(`unknown long flag '--${name}'`);
  return flag;
}

function valueOf({ name, value }: { name: string; value: string | undefined }, tokens: Tokens): string {
  const found = value ?? tokens.nextWord();
  if (found === undefined) throw new UsageError(`expected argument for flag '--${name}'`);
  return found;
}

function takesWord({ argument }: Command, count: number): boolean {
  return argument !== undefined && (count === 0 || argument.isRepeatable);
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw new UsageError(`expected command but got ${JSON.stringify(name)}`);
  return command;
}

function checkValues(given: readonly (readonly [Flag, string])[], process: Process): void {
  const seen = new Set<Flag>();
  for (const [flag, value] of given) {
    if (seen.has(flag) && flag.isRepeatable !== true)
      throw new UsageError(`flag '${flag.name}' cannot be repeated`);
    seen.add(flag);
    checkValue(flag, value, process);
  }
}

function checkValue({ kind, name }: Flag, value: string, process: Process): void {
  switch (kind) {
    case 'input':
      return asUsage(() => checkInput(value, process));
    case 'output':
      return asUsage(() => checkOutput(value, process));
    case 'port':
      return void parsePort(value);
    case 'size':
      return void parseSize(name, value);
    case 'text':
    case 'switch':
  }
}
