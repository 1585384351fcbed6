// The parts of a catalogue entry. The command line makes flags and arguments from the fields of an edit, the page makes
// inputs from them.

import { is, requireTypes, type Type } from '../../../proto/arguments.js';
import type { Config, Section } from '../../channel/index.js';
import type { Edited } from '../edited.js';
import type { MspSource } from '../org.js';
import type { Setting } from '../set.js';

/** A field on the command line: a positional argument or a flag, without the dashes. */
type InputPlace = { readonly argument: string } | { readonly flag: string };

/** The texts about a field. */
interface Words {
  /** On the page. */
  readonly label: string;
  /** An example or the form of a value, which the page shows while the field is empty. */
  readonly hint?: string;
  /** On the command line. */
  readonly help: string;
}

interface Common extends Words {
  readonly isOptional?: true;
}

/** Names in a channel that the page offers for a text: policies by path, consenters, ACLs that are set, and all resources of peers. */
export type Offer = 'policies' | 'consenters' | 'acls' | 'resources';

/** One line of text. */
type TextField = Common &
  InputPlace & {
    readonly kind: 'text';
    /** The page offers these names. The command line accepts any text, and the edit refuses unknown names. */
    readonly offer?: Offer;
    /** Whether the page also accepts other texts. */
    readonly isOpen?: true;
  };

/** Several texts: the last positional argument, or a flag that may be repeated. */
type ListField = Common & InputPlace & { readonly kind: 'list' };

/** A whole number, 1 or more. */
type NumberField = Common & InputPlace & { readonly kind: 'number'; readonly max: number };

/** One of several names; the command line ignores case. */
type ChoiceField = Common & InputPlace & { readonly kind: 'choice'; readonly choices: readonly string[] };

/** A file in PEM; on the page its text. */
type FileField = Common & { readonly kind: 'file'; readonly flag: string };

/** The help of the flag `--group`. */
export const GROUP_HELP = "The group of the organisation: 'application' or 'orderer'.";

/**
 * An organisation of the channel. With several sections, the command line has the flag `--group`, because two sections can contain an
 * organisation with the same name.
 */
type OrganizationField = Common &
  InputPlace & { readonly kind: 'organization'; readonly sections: readonly Section[] };

/** The MSP of an organisation: an MSP directory, or the JSON of an organisation. */
type MspField = Words & {
  readonly kind: 'msp';
  readonly flag: string;
  readonly json: Words & { readonly flag: string };
  /** The id of the MSP in a directory, which does not contain it; undefined if the channel contains it. */
  readonly id?: Words & { readonly flag: string };
};

/** Fields of the config with their values; the page has one pair. */
type SettingsField = Words & {
  readonly kind: 'settings';
  readonly flag: string;
  /** The texts about the value; the others are about the path. */
  readonly value: Pick<Words, 'label' | 'hint'>;
};

/** A field of an edit. */
export type Field =
  | TextField
  | ListField
  | NumberField
  | ChoiceField
  | FileField
  | OrganizationField
  | MspField
  | SettingsField;

/** A chosen organisation. */
export interface ChosenOrganization {
  /** The name of its group, or its MSP id. */
  readonly name: string;
  /** @default the section that has it; if both have it, the edit refuses */
  readonly section?: Section | undefined;
}

interface ValueOfKind {
  readonly text: string;
  readonly list: readonly string[];
  readonly number: number;
  readonly file: Uint8Array;
  readonly organization: ChosenOrganization;
  readonly msp: MspSource;
  readonly settings: readonly Setting[];
}

/** The value of a field. */
export type ValueOf<F extends Field> =
  | (F extends ChoiceField
      ? F['choices'][number]
      : F extends { kind: keyof ValueOfKind }
        ? ValueOfKind[F['kind']]
        : never)
  | (F extends { isOptional: true } ? undefined : never);

type Fields = Readonly<Record<string, Field>>;

type OptionalName<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { isOptional: true } ? Name : never;
}[keyof F];

/** The values of the fields of an edit; optional ones may be missing. */
export type ValuesOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, OptionalName<F>>]: ValueOf<F[Name]>;
} & { readonly [Name in OptionalName<F>]?: ValueOf<F[Name]> };

/** The values of the fields of an edit. Each has the type that its field requires; optional ones may be missing. */
export type Values = Readonly<Record<string, ValueOf<Field> | undefined>>;

/** An edit: its names, its fields and its function. */
export interface Edit {
  /** The command, in one or two words; the id of the form on the page. */
  readonly name: string;
  /** The title of the form on the page. */
  readonly title: string;
  /** The help of the command: a sentence. */
  readonly help: string;
  /** A command line without the name of the program, for the help of the command. */
  readonly example: string;
  /** In the order of the command line. */
  readonly fields: Fields;
  /** Imports the function of the edit. It is lazy, because the command line reads the catalogue at each start but needs few functions. */
  readonly load: () => Promise<ApplyEdit>;
}

/** Applies an edit. @throws TranslateError BAD_EDIT, BAD_POLICY if it is not possible */
export type ApplyEdit<V = Values> = (config: Config, values: V) => Edited;

/** Declares an edit; the types of the values follow from the fields. */
export const defineEdit = <const Name extends string, const F extends Fields>(
  edit: Omit<Edit, 'name' | 'fields' | 'load'> & {
    readonly name: Name;
    readonly fields: F;
    readonly load: () => Promise<ApplyEdit<ValuesOf<F>>>;
  },
): Edit & { readonly name: Name; readonly fields: F } =>
  ({
    ...edit,
    load: async () => {
      const [apply, { resultTypes }] = await Promise.all([edit.load(), import('../../channel/index.js')]);
      const types = { config: resultTypes.config, values: typeOfValues(edit.fields) };
      return (config: Config, values: ValuesOf<F>) => {
        requireTypes({ config, values }, types, 'BAD_EDIT');
        return apply(config, values);
      };
    },
  }) as unknown as Edit & { readonly name: Name; readonly fields: F };

const TYPES: Readonly<Record<Exclude<Field['kind'], 'choice' | 'number'>, Type>> = {
  text: is.text,
  list: is.list(is.text),
  file: is.bytes,
  organization: is.only({ name: is.text, section: is.optional(is.oneOf('Application', 'Orderer')) }),
  msp: is.only({ files: is.any, json: is.any, mspId: is.any, name: is.optional(is.text) }),
  settings: is.list(is.only({ path: is.text, value: is.text, name: is.optional(is.text) })),
};

function typeOf(field: Field): Type {
  if (field.kind === 'choice') return is.oneOf(...field.choices);
  return field.kind === 'number' ? is.number(1, field.max) : TYPES[field.kind];
}

const typeOfValues = (fields: Fields): Type =>
  is.only(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        'isOptional' in field ? is.optional(typeOf(field)) : typeOf(field),
      ]),
    ),
  );
