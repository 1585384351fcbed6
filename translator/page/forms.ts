// The forms of the editor: the inputs for the fields of an edit, and their values.

import { TranslateError, attempt } from '#proto/errors.js';
import type { Config, Section } from '#translator/channel/index.js';
import {
  choicesFor,
  EDITS,
  SET_FIELDS,
  type ChosenOrganization,
  type Edit,
  type Field,
  type MspSource,
  type Values,
} from '#translator/edit/index.js';
import { guessedMspId, type DroppedMsp } from './msp-folders.js';

/** The edits with a form, in the order of the list. */
export const FORMS: readonly Edit[] = [...EDITS, SET_FIELDS];

/** The data for the choices of a form. */
export interface Context {
  readonly config: Config;
  readonly msps: readonly DroppedMsp[];
}

/** An input of a form. */
export interface Input {
  readonly name: string;
  readonly label: string;
  /** `lines` is a text with several lines. */
  readonly kind: 'text' | 'lines' | 'choice';
  /** The text that the empty input shows. */
  readonly hint: string;
  /** All texts that a choice may have, and suggestions for a text. */
  readonly choices: readonly string[];
  /** The text at the start. */
  readonly initial: string;
  /** Whether the edit is not done while it is empty. */
  readonly isRequired: boolean;
}

/** The texts of inputs, by name. */
export type Texts = ReadonlyMap<string, string>;

type Words = Pick<Field, 'label' | 'hint'>;

/** The inputs of a form. */
export const inputsOf = ({ fields }: Edit, context: Context): readonly Input[] =>
  Object.entries(fields).flatMap(([name, field]) => inputsFor(name, field, context));

function inputsFor(name: string, field: Field, context: Context): readonly Input[] {
  const isRequired = !('isOptional' in field);
  switch (field.kind) {
    case 'text':
    case 'organization': {
      const choices = offeredFor(field, context);
      if (choices === undefined) return [textInput(name, field, isRequired)];
      return field.kind === 'text' && field.isOpen === true
        ? [{ ...textInput(name, field, isRequired), choices }]
        : [choiceInput(name, field, choices, isRequired)];
    }
    case 'choice':
      return [
        {
          ...textInput(name, field, isRequired),
          kind: 'choice',
          choices: field.choices,
          initial: field.choices[0] ?? '',
        },
      ];
    case 'number':
      return [textInput(name, field, isRequired)];
    case 'list':
    case 'file':
      return [linesInput(name, field, isRequired)];
    case 'msp':
      return [
        choiceInput(name, field, foldersOf(context), true),
        ...(field.id === undefined
          ? []
          : [{ ...textInput(field.id.flag, field.id, false), initial: guessIn(context) }]),
      ];
    case 'settings':
    default:
      return [textInput('path', field, true), linesInput('value', field.value, true)];
  }
}

const textInput = (name: string, { label, hint = '' }: Words, isRequired: boolean): Input => ({
  name,
  label,
  kind: 'text',
  hint,
  choices: [],
  initial: '',
  isRequired,
});

const linesInput = (name: string, words: Words, isRequired: boolean): Input => ({
  ...textInput(name, words, isRequired),
  kind: 'lines',
});

/** A choice is empty at first, so that users choose; a single choice is chosen at once. */
const choiceInput = (name: string, words: Words, choices: readonly string[], isRequired: boolean): Input => ({
  ...textInput(name, words, isRequired),
  kind: 'choice',
  choices: choices.length === 1 ? choices : ['', ...choices],
  initial: choices.length === 1 ? choices[0]! : '',
});

/** A channel with a value that cannot be read has no choices. The error of the edit names the value. */
const offeredFor = (field: Field, { config }: Context): readonly string[] | undefined =>
  attempt(
    () => choicesFor(field, config),
    () => [],
  );

/** The MSP id of the only MSP folder, guessed from the name of its CA; users can change it. */
function guessIn({ msps }: Context): string {
  const [only, ...others] = msps.filter(({ organization }) => organization !== undefined);
  return only === undefined || others.length > 0 ? '' : guessedMspId(only.owner);
}

const foldersOf = ({ msps }: Context): readonly string[] =>
  msps.filter(({ organization }) => organization !== undefined).map(({ name }) => name);

/**
 * The values of the fields of an edit.
 *
 * @throws TranslateError BAD_EDIT if a choice or a file is missing
 */
export function valuesOf(edit: Edit, texts: Texts, context: Context): Values {
  const initial = new Map(inputsOf(edit, context).map((input) => [input.name, input.initial]));
  const textOf = (name: string): string => texts.get(name) ?? initial.get(name) ?? '';
  return Object.fromEntries(
    Object.entries(edit.fields).map(([name, field]) => [name, valueOf(name, field, textOf, context)]),
  );
}

function valueOf(
  name: string,
  field: Field,
  textOf: (name: string) => string,
  context: Context,
): Values[string] {
  const text = textOf(name).trim();
  switch (field.kind) {
    case 'text':
      return text === '' && field.isOptional === true ? undefined : text;
    case 'choice':
      return text;
    case 'list':
      return text.split(/[\s,]+/).filter((each) => each !== '');
    case 'number':
      return numberOf(text, field.label, field.max);
    case 'file':
      if (text === '' && field.isOptional !== true) throw bad(`the ${field.label} is needed`);
      return text === '' ? undefined : bytesOf(textOf(name));
    case 'organization':
      if (text === '' && field.isOptional !== true) throw bad('choose an organisation');
      return text === '' ? undefined : organizationOf(text);
    case 'msp':
      return mspOf(field, text, textOf, context);
    case 'settings':
    default:
      return [{ path: textOf('path').trim(), value: textOf('value').trim() }];
  }
}

function numberOf(text: string, label: string, max: number): number | undefined {
  if (text === '') return undefined;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > max)
    throw bad(`${label} is ${JSON.stringify(text)}, expected a number of 1 to ${max}`);
  return number;
}

/** The section and the name of `Application/Org1`. */
function organizationOf(choice: string): ChosenOrganization {
  const at = choice.indexOf('/');
  return { section: choice.slice(0, at) as Section, name: choice.slice(at + 1) };
}

function mspOf(
  { id }: Extract<Field, { kind: 'msp' }>,
  folder: string,
  textOf: (name: string) => string,
  { msps }: Context,
): MspSource {
  const mspId = id === undefined ? '' : textOf(id.flag).trim();
  if (id !== undefined && mspId === '') throw bad(`the ${id.label} is needed`);
  const files = msps.find(({ name }) => name === folder)?.organization;
  if (files === undefined) throw bad('drop the MSP folder of the organisation on the page, and choose it');
  return { files, mspId };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const bad = (text: string): TranslateError => new TranslateError('BAD_EDIT', text);
