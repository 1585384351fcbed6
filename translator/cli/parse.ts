// Parses the arguments of the program into a command with its values, or a request for help. Errors have the texts of Fabric's
// configtxlator.

import { appendTo } from '../../core/common/group-by.js';
import { nearest } from '../../core/common/text/nearest.js';
import type { Command, NamedArgument, NamedFlag } from './command.js';
import { COMMANDS } from './commands/index.js';
import { UsageError } from './errors.js';
import { GLOBAL_FLAGS, HIDDEN_FLAGS } from './flags.js';
import type { Io } from './io.js';
import { Tokens } from './tokens.js';

/** A request for help. */
export type HelpRequest =
  /** For a command, or for the program if undefined. */
  | { readonly kind: 'help'; readonly command: Command | undefined }
  /** For the commands with the same first word. */
  | { readonly kind: 'help-family'; readonly word: string; readonly commands: readonly Command[] }
  | { readonly kind: 'help-network' }
  | { readonly kind: 'help-long' }
  | { readonly kind: 'help-man' };

/** The values of a command's flags and arguments, by name. */
type AllValues = Readonly<Record<string, unknown>>;

/** The result of parsing. */
type Parsed =
  | HelpRequest
  | { readonly kind: 'command'; readonly run: NonNullable<Command['run']>; readonly values: AllValues };

/** A given flag with its text. */
type GivenFlag = readonly [flag: NamedFlag, text: string];

/** The separated arguments, not yet checked. */
interface Parts {
  readonly command: Command | undefined;
  /** The first word of several commands, without a second word. */
  readonly family: string | undefined;
  readonly given: readonly GivenFlag[];
  readonly rest: readonly string[];
  /** The names of the flags without a value. */
  readonly switches: ReadonlySet<string>;
}

/**
 * Parses the arguments of the program. Syntax errors are reported before invalid values, and these before missing flags and arguments.
 *
 * @throws UsageError
 */
export async function parse(args: readonly string[], process: Io): Promise<Parsed> {
  const parts = split(args);
  const { command, family, rest, switches } = parts;
  if (switches.has('help-long')) return { kind: 'help-long' };
  if (switches.has('help-man')) return { kind: 'help-man' };
  if (family !== undefined && switches.has('help')) return helpOf([family]);
  if (family !== undefined) throw missingWord(family);
  if (command === undefined || switches.has('help')) return { kind: 'help', command };
  if (command.run === undefined) return helpOf(rest);
  const { run } = command;
  return { kind: 'command', run, values: await valuesOf(command, parts, process) };
}

function split(args: readonly string[]): Parts {
  const tokens = new Tokens(args);
  const given: GivenFlag[] = [];
  const rest: string[] = [];
  const switches = new Set<string>();
  let command: Command | undefined;
  let family: string | undefined;
  for (let token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token.kind === 'short') {
      const flag = findShortFlag(command, token);
      given.push([flag, valueOf({ name: flag.name, value: undefined }, tokens)]);
    } else if (token.kind === 'flag') {
      const flag = findFlag(command, token.name);
      if (flag.kind !== undefined) given.push([flag, valueOf(token, tokens)]);
      // These two flags work even if later arguments are invalid.
      else if (HIDDEN_FLAGS.includes(flag))
        return { command, family, given, rest, switches: new Set([flag.name]) };
      else switches.add(flag.name);
    } else if (command === undefined) {
      if (family === undefined && familyOf(token.text).length > 0) family = token.text;
      else {
        command = family === undefined ? findCommand(token.text) : findCommand(family, token.text);
        family = undefined;
      }
    } else if (takesWord(command, rest.length)) rest.push(token.text);
    else throw new UsageError(`unexpected ${token.text}`);
  }
  return { command, family, given, rest, switches };
}

function findFlag(command: Command | undefined, name: string): NamedFlag {
  const all = [...GLOBAL_FLAGS, ...HIDDEN_FLAGS, ...(command?.flags ?? [])];
  const flag = all.find((each) => each.name === name);
  if (flag !== undefined) return flag;
  const known = all.map((each) => `--${each.name}`);
  throw new UsageError(`unknown long flag '--${name}'${hint(name, known)}`);
}

/** The closest known names, in parentheses after Fabric's text; empty if none is close. */
function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, new Set(known));
  return near.length === 0 ? '' : didYouMean(near);
}

const didYouMean = (near: readonly string[]): string => ` (did you mean ${near.join(' or ')}?)`;

function findShortFlag(
  command: Command | undefined,
  { name, text }: { readonly name: string; readonly text: string },
): NamedFlag {
  const flag = command?.flags.find(({ short }) => short === name);
  if (flag !== undefined) return flag;
  const known = [...GLOBAL_FLAGS, ...(command?.flags ?? [])].map((each) => `--${each.name}`);
  // Go programs write flags with one dash.
  const near =
    text.length > 2 ? known.filter((each) => each === `-${text}`) : startingWith(`--${name}`, known);
  throw new UsageError(
    `unknown short flag '-${name}'${near.length > 0 ? didYouMean(near) : hint(text, known)}`,
  );
}

const MAX_SUGGESTIONS = 3;

const startingWith = (start: string, known: readonly string[]): readonly string[] =>
  known.filter((each) => each.startsWith(start)).slice(0, MAX_SUGGESTIONS);

function valueOf({ name, value }: { name: string; value: string | undefined }, tokens: Tokens): string {
  const found = value ?? tokens.nextWord();
  if (found === undefined) throw new UsageError(`expected argument for flag '--${name}'`);
  return found;
}

const takesWord = ({ arguments: all }: Command, count: number): boolean =>
  count < all.length || all.at(-1)?.isRepeatable === true;

/** The commands whose first of two words is this one. */
const familyOf = (word: string): readonly Command[] =>
  COMMANDS.filter(({ name }) => name.startsWith(`${word} `));

/** Words of other programs, and the commands that do the same. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['approve', 'sign'],
  ['apply', 'submit'],
  ['broadcast', 'submit'],
  ['create', 'org add'],
  ['describe', 'show'],
  ['get', 'fetch'],
  ['history', 'log'],
  ['info', 'show'],
  ['inspect', 'show'],
  ['join', 'merge'],
  ['print', 'show'],
  ['pull', 'fetch'],
  ['push', 'submit'],
  ['send', 'submit'],
  ['signconfigtx', 'sign'],
  ['update', 'edit'],
  ['validate', 'check'],
  ['view', 'show'],
  ['who', 'powers'],
  ['whoami', 'identity'],
]);

/**
 * Finds a command by its name, which has one or two words.
 *
 * @throws UsageError with the closest names
 */
function findCommand(name: string, second?: string): Command {
  const family = familyOf(name);
  const found = COMMANDS.find((each) => each.name === (family.length === 0 ? name : `${name} ${second}`));
  if (found !== undefined) return found;
  if (family.length > 0) throw missingWord(name, second);
  const synonym = SYNONYMS.get(name.toLowerCase());
  // `list` and `revoke` are second words.
  const withSecond = COMMANDS.filter((each) => each.name.endsWith(` ${name}`)).map((each) => each.name);
  const firsts = COMMANDS.map((each) => each.name.split(' ', 1)[0]!);
  const near = synonym === undefined ? withSecond : [synonym];
  throw new UsageError(
    `expected command but got ${JSON.stringify(name)}${near.length > 0 ? didYouMean(near) : hint(name, firsts)}`,
  );
}

/** The error for a first word without a known second word. */
function missingWord(first: string, second?: string): UsageError {
  const seconds = familyOf(first).map(({ name }) => name.slice(first.length + 1));
  const got = second === undefined ? '' : ` but got ${JSON.stringify(second)}${hint(second, seconds)}`;
  return new UsageError(`expected ${seconds.join(', ')} after ${first}${got}`);
}

/** The topic of the help that is not a command. */
const NETWORK_TOPIC = 'network';

/** The help for words after `help`. */
function helpOf([first, second]: readonly string[]): HelpRequest {
  if (first === undefined) return { kind: 'help', command: undefined };
  if (first === NETWORK_TOPIC) return { kind: 'help-network' };
  const commands = familyOf(first);
  if (commands.length > 0 && second === undefined) return { kind: 'help-family', word: first, commands };
  return { kind: 'help', command: findCommand(first, second) };
}

/** @throws UsageError for an invalid value, or a missing flag or argument */
async function valuesOf(
  { flags, arguments: args }: Command,
  { given, rest, switches }: Parts,
  process: Io,
): Promise<AllValues> {
  const names = given.map(([{ name }]) => name);
  const repeated = given.find(
    ([{ name, isRepeatable }], index) => isRepeatable !== true && names.indexOf(name) < index,
  );
  if (repeated !== undefined) throw new UsageError(`flag '${repeated[0].name}' cannot be repeated`);
  const converted = new Map<string, unknown[]>([...switches].map((name) => [name, [true]]));
  for (const [flag, text] of given) {
    appendTo(converted, flag.name, flag.kind?.parse(text, flag.name, process));
    await flag.kind?.verify?.(text, flag.name);
  }
  const values: Record<string, unknown> = {};
  for (const flag of flags) {
    if (flag.isRequired === true && !converted.has(flag.name))
      throw new UsageError(`required flag --${flag.name} not provided`);
    const value = flag.valueOf(converted.get(flag.name) ?? defaultOf(flag, process));
    if (flag.group === undefined) values[flag.name] = value;
    else values[flag.group] = { ...(values[flag.group] as object | undefined), [flag.name]: value };
  }
  args.forEach((argument, index) => {
    const texts = argument.isRepeatable ? rest.slice(index) : rest.slice(index, index + 1);
    values[argument.name] = argumentValue(argument, texts, process);
  });
  return values;
}

const defaultOf = ({ name, kind, fallback }: NamedFlag, process: Io): readonly unknown[] =>
  fallback === undefined ? [] : [kind?.parse(fallback, name, process)];

function argumentValue(argument: NamedArgument, texts: readonly string[], process: Io): unknown {
  const { name, kind, isRequired } = argument;
  if (isRequired && texts.length === 0) throw new UsageError(`required argument '${name}' not provided`);
  return argument.valueOf(texts.map((text) => kind.parse(text, name, process)));
}
