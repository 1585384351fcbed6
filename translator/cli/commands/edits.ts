// The commands of the edits in the catalogue. Their flags and arguments come from the fields of the edits.

import { EDITS, GROUP_HELP, type Edit, type Field, type Values } from '../../edit/catalogue/index.js';
import type { MspSource } from '../../edit/index.js';
import type { Section } from '../../channel/index.js';
import {
  argument,
  argumentList,
  flag,
  flagList,
  type Argument,
  type Command,
  type Flag,
  type Kind,
} from '../command.js';
import { editCommand } from '../edit-command.js';
import { UsageError } from '../errors.js';
import { printNote, readInput, readOptional } from '../files.js';
import type { Io } from '../io.js';
import { inputPath, kind, text } from '../kinds.js';

/** The converted flags and arguments, by name. */
type Given = Readonly<Record<string, unknown>>;

function commandOf({ name, help, example, fields, load }: Edit): Command {
  const all = Object.values(fields);
  return editCommand({
    name,
    help,
    example,
    flags: Object.fromEntries([...all.flatMap(flagsOf), ...all.flatMap(groupFlagOf)]),
    arguments: Object.fromEntries(all.flatMap(argumentsOf)),
    async edit(given: Given, io) {
      const values = await Promise.all(
        Object.entries(fields).map(async ([key, field]) => [key, await valueOf(field, given, io)] as const),
      );
      const apply = await load();
      return (config) => apply(config, Object.fromEntries(values));
    },
  });
}

const nameOf = (field: Field): string => ('argument' in field ? field.argument : field.flag);

function kindOf(field: Field): Kind<unknown> {
  if (field.kind === 'file') return inputPath;
  if (field.kind === 'number') return numberTo(field.max);
  if (field.kind !== 'choice') return text;
  return oneOf(field.choices, 'argument' in field ? field.argument : `--${field.flag}`);
}

const numberTo = (max: number): Kind<number> =>
  kind((given, name) => {
    const number = /^\d{1,10}$/.test(given) ? Number(given) : 0;
    if (number >= 1 && number <= max) return number;
    throw new UsageError(`--${name} is ${JSON.stringify(given)}, expected a number of 1 to ${max}`);
  });

const oneOf = (choices: readonly string[], name: string): Kind<string> =>
  kind((given) => {
    const found = choices.find((each) => each.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found;
    const expected = choices.map((each) => each.toLowerCase()).join(choices.length === 2 ? ' or ' : ', ');
    throw new UsageError(`${name} is ${JSON.stringify(given)}, expected ${expected}`);
  });

type Named<Defined> = readonly (readonly [name: string, defined: Defined])[];

function argumentsOf(field: Field): Named<Argument> {
  if (!('argument' in field)) return [];
  const define = field.kind === 'list' ? argumentList : argument;
  return [[field.argument, define(kindOf(field), field.help)]];
}

function flagsOf(field: Field): Named<Flag> {
  if ('argument' in field) return [];
  const define = field.kind === 'list' ? flagList : flag;
  const own = [field.flag, define(kindOf(field), field.help)] as const;
  if (field.kind !== 'msp') return [own];
  const { json, id } = field;
  return [
    own,
    [json.flag, flag(inputPath, json.help)],
    ...(id === undefined ? [] : [[id.flag, flag(text, id.help)] as const]),
  ];
}

const GROUP = 'group';

/** The flag for the group of an organisation, which may be in several groups. */
const groupFlagOf = (field: Field): Named<Flag> =>
  field.kind === 'organization' && field.sections.length > 1
    ? [[GROUP, flag(oneOf(field.sections, `--${GROUP}`), GROUP_HELP)]]
    : [];

/** The value of a field. @throws UsageError if it is missing, CommandError if a file cannot be read */
async function valueOf(field: Field, given: Given, io: Io): Promise<Values[string]> {
  const value = given[nameOf(field)] as string | readonly string[] | number | undefined;
  if (field.kind === 'msp') return readMsp(field, given as Texts, io);
  if (field.kind === 'organization' && value !== undefined)
    return { name: value as string, section: given[GROUP] as Section | undefined };
  if (field.kind !== 'file') return value;
  const file = readOptional(value as string | undefined, io);
  if (file === undefined && field.isOptional !== true)
    throw new UsageError(`the ${field.label} is needed: --${field.flag} FILE`);
  return file;
}

type Texts = Readonly<Record<string, string | undefined>>;

/** Reads the MSP of `--msp` or `--json`; prints notes about an MSP directory. */
async function readMsp(
  { flag: name, json: { flag: jsonName }, id }: Extract<Field, { kind: 'msp' }>,
  given: Texts,
  process: Io,
): Promise<MspSource> {
  const path = given[name];
  const json = given[jsonName];
  const mspId = id === undefined ? undefined : given[id.flag];
  if ((path === undefined) === (json === undefined))
    throw new UsageError(`either --${name} DIR or --${jsonName} FILE is needed`);
  if (json !== undefined) {
    if (id !== undefined && mspId !== undefined) throw new UsageError(`--${id.flag} is in the JSON already`);
    return { json: readInput(json, process), name: `--${jsonName} ${json}` };
  }
  if (id !== undefined && mspId === undefined)
    throw new UsageError(`the id of the MSP is needed: --${id.flag} ID`);
  const { mspFilesOf, mspNotes } = await import('../../edit/index.js');
  const { readMspFolder } = await import('../../msp-folder.js');
  const { ofFlag } = await import('../msp.js');
  const folder = await ofFlag(async () => readMspFolder(path!));
  const files = mspFilesOf(folder);
  for (const note of mspNotes(folder, files)) printNote(note, process);
  return { files, name: `--${name} ${path}`, ...(mspId === undefined ? {} : { mspId }) };
}

/** The commands, in the order of the help. */
export const CATALOGUE_COMMANDS: readonly Command[] = EDITS.map(commandOf);
