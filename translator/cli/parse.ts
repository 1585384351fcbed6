// Parses the arguments of the program into a command with its values, or a request for help. Errors have the texts of Fabric's
// configtxlator.

import { isNetworkAddress, parseNetworkAddress } from '../source/network/address.js';
import { argumentsOf, type Command } from './command.js';
import type { Process } from './context.js';
import { asUsage, UsageError } from './errors.js';
import { checkInput, checkOutput } from './files.js';
import { GLOBAL_FLAGS, HIDDEN_FLAGS, type Flag } from './flag.js';
import { parsePort, parseSize } from './numbers.js';
import { COMMANDS } from './commands/index.js';
import { Tokens } from './tokens.js';
import { Values } from './values.js';

/** A request for help. */
export type HelpRequest =
  /** For a command, or for the program. */
  | { readonly kind: 'help'; readonly command: Command | undefined }
  | { readonly kind: 'help-long' }
  | { readonly kind: 'help-man' };

/** The result of parsing. */
export type Parsed =
  | HelpRequest
  | { readonly kind: 'command'; readonly command: Command; readonly values: Values };

/** The arguments split into parts, not yet checked. */
interface Parts {
  readonly command: Command | undefined;
  readonly given: readonly (readonly [Flag, string])[];
  readonly rest: readonly string[];
  /** The names of the boolean flags. */
  readonly booleans: ReadonlySet<string>;
}

/**
 * Parses the arguments of the program. Syntax errors are reported before invalid values, and those before missing flags.
 *
 * @throws UsageError
 */
export function parse(args: readonly string[], process: Process): Parsed {
  const { command, given, rest, booleans } = split(args);
  if (booleans.has('help-long')) return { kind: 'help-long' };
  if (booleans.has('help-man')) return { kind: 'help-man' };
  if (command === undefined || booleans.has('help')) return { kind: 'help', command };
  if (command.load === undefined)
    return { kind: 'help', command: rest[0] === undefined ? undefined : findCommand(rest[0], () => rest[1]) };
  checkValues(given, process);
  const values = new Values(given, rest, command.flags, booleans);
  for (const { name, isRequired } of command.flags)
    if (isRequired === true && values.optional(name) === undefined)
      throw new UsageError(`required flag --${name} not provided`);
  return { kind: 'command', command, values };
}

function split(args: readonly string[]): Parts {
  const tokens = new Tokens(args);
  const given: (readonly [Flag, string])[] = [];
  const rest: string[] = [];
  const booleans = new Set<string>();
  let command: Command | undefined;
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token.kind === 'short') {
      const flag = findShortFlag(command, token.name);
      given.push([flag, valueOf({ name: flag.name, value: undefined }, tokens)]);
    } else if (token.kind === 'flag') {
      const flag = findFlag(command, token.name);
      if (flag.kind !== 'boolean') given.push([flag, valueOf(token, tokens)]);
      // These two are shown even if later arguments are invalid.
      else if (HIDDEN_FLAGS.includes(flag)) return { command, given, rest, booleans: new Set([flag.name]) };
      else booleans.add(flag.name);
    } else if (command === undefined) command = findCommand(token.text, () => tokens.nextWord());
    else if (takesWord(command, rest.length)) rest.push(token.text);
    else throw new UsageError(`unexpected ${token.text}`);
  }
  return { command, given, rest, booleans };
}

function findFlag(command: Command | undefined, name: string): Flag {
  const flag = [...GLOBAL_FLAGS, ...HIDDEN_FLAGS, ...(command?.flags ?? [])].find(
    (each) => each.name === name,
  );
  if (flag === undefined) throw new UsageError(`unknown long flag '--${name}'`);
  return flag;
}

function findShortFlag(command: Command | undefined, letter: string): Flag {
  const flag = command?.flags.find(({ short }) => short === letter);
  if (flag === undefined) throw new UsageError(`unknown short flag '-${letter}'`);
  return flag;
}

function valueOf({ name, value }: { name: string; value: string | undefined }, tokens: Tokens): string {
  const found = value ?? tokens.nextWord();
  if (found === undefined) throw new UsageError(`expected argument for flag '--${name}'`);
  return found;
}

function takesWord(command: Command, count: number): boolean {
  const all = argumentsOf(command);
  return count < all.length || all.at(-1)?.isRepeatable === true;
}

/**
 * Finds a command by its name, which has one or two words.
 *
 * @param next returns the second word
 */
function findCommand(name: string, next: () => string | undefined): Command {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return command;
  const seconds = COMMANDS.flatMap((each) => {
    const [first, second] = each.name.split(' ');
    return first === name && second !== undefined ? [second] : [];
  });
  if (seconds.length === 0) throw new UsageError(`expected command but got ${JSON.stringify(name)}`);
  const second = next();
  const found = COMMANDS.find((each) => each.name === `${name} ${second ?? ''}`);
  if (found === undefined)
    throw new UsageError(
      `expected ${seconds.join(', ')} after ${name}${second === undefined ? '' : ` but got ${JSON.stringify(second)}`}`,
    );
  return found;
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
    case 'source':
      if (isNetworkAddress(value)) return asUsage(() => void parseNetworkAddress(value));
      return asUsage(() => checkInput(value, process));
    case 'input':
      return asUsage(() => checkInput(value, process));
    case 'output':
      return asUsage(() => checkOutput(value, process));
    case 'port':
      return void parsePort(value);
    case 'size':
      return void parseSize(name, value);
    case 'string':
    case 'boolean':
  }
}
