// Sets one field of a config by its path.

import { is, requireTypes } from '../../proto/arguments.js';
import { toLatin1 } from '../../proto/bytes.js';
import { encodeValue } from '../../proto/from-json.js';
import { decode } from '../../proto/index.js';
import { parseJson, parseOnlyJson } from '../../proto/json-parser.js';
import { isObject, JsonNumber, type JsonObject, type JsonValue } from '../../proto/json-value.js';
import { parseDuration } from '../../core/common/text/go-duration.js';
import {
  type Config,
  type ConfigGroup,
  makeGroup,
  makePolicy,
  makeValue,
  readConfig,
  pathOf,
  typeOfValue,
  writeConfig,
  resultTypes,
} from '../channel/index.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { badEdit, editAll, edited, named, unknownName, type Edited } from './edited.js';
import { matchName, normalized, resolvePath, type Target } from './path.js';
import { withModPolicy, withPolicyText } from './policy.js';
import { changeGroup, NEW_MOD_POLICY, requiredGroup, withPolicy } from './tree.js';

interface JsonPlace {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string;
}

/** Fields that are maps, in which new keys are allowed. */
const MAPS: ReadonlySet<string> = new Set(['capabilities', 'acls']);
/** The names of enum values by field. */
const ENUMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['state', ['STATE_NORMAL', 'STATE_MAINTENANCE']],
  ['rule', ['ANY', 'ALL', 'MAJORITY']],
  ['leader_rotation', ['ROTATION_UNSPECIFIED', 'ROTATION_OFF', 'ROTATION_ON']],
]);
const DURATION = /(?:timeout|interval)$/;
const SHOWN = 60;
const PEM = '-----BEGIN ';

/** The path of a field, and the text of its value, as for {@link setByPath}. */
export interface Setting {
  readonly path: string;
  readonly value: string;
  /** The origin in errors. @default errors contain no origin */
  readonly name?: string;
}

/** Sets fields one after the other. @throws TranslateError BAD_EDIT, BAD_POLICY */
export function setFields(config: Config, settings: readonly Setting[]): Edited {
  requireTypes({ settings }, { settings: is.list(SETTING) }, 'BAD_EDIT');
  return editAll(
    config,
    settings.map(
      ({ path, value, name }) =>
        (each) =>
          named(name, () => setByPath(each, path, value)),
    ),
  );
}

const SETTING = is.record({ path: is.text, value: is.text, name: is.optional(is.text) });

/**
 * Sets a field.
 *
 * @param path `orderer.batchSize.maxMessageCount`, or for jq: `.channel_group.groups.Orderer.values.BatchSize.value.max_message_count`
 * @param text a number, duration, text, policy or JSON, as the field requires
 * @throws TranslateError BAD_EDIT, BAD_POLICY
 */
export function setByPath(config: Config, path: string, text: string): Edited {
  requireTypes({ config, value: text }, { config: resultTypes.config, value: is.text }, 'BAD_EDIT');
  const target = resolvePath(config.channelGroup, path);
  if (target.isModPolicy) return withModPolicy(config, target, text);
  if (target.kind === 'group')
    throw badEdit(`${pathOf(...target.path)} is a group: name a value or a policy in it`);
  if (target.kind === 'policy' && target.rest.length === 0 && !/^\s*\{/.test(text))
    return withPolicyText(config, target.path, target.name, text);
  return setJson(config, target, text);
}

function setJson(config: Config, target: Target, text: string): Edited {
  const { path, name } = target;
  const document = parseJson(decode('common.Config', writeConfig(alone(config, target)))) as JsonObject;
  const kind = target.kind === 'value' ? 'values' : 'policies';
  const group = path.reduce<JsonValue>(
    (outer, each) => ((outer as JsonObject).groups as JsonObject)[each]!,
    document.channel_group!,
  ) as JsonObject;
  const element = (group[kind] as JsonObject)[name] as JsonObject;
  const content = target.kind === 'value' ? 'value' : 'policy';
  if (content === 'value') element.value ??= emptyJson(target);
  const place = findPlace({ holder: element, key: content }, target, text);
  if (name === 'ConsensusType' && place.key === 'type')
    throw badEdit(
      `${pathOf(...path, name)}: the type cannot be changed alone; a migration to BFT changes, in maintenance mode, the type, its metadata, the value Orderers and the policy BlockValidation in one update: edit the whole config`,
    );
  const before = at(place);
  const given = typedValue(place, text, pathOf(...path, name));
  const [after, bytes] = encoded(document, place, given, `${pathOf(...path, name)}: ${fieldName(place.key)}`);
  const changed = requiredGroup(readConfig(bytes).channelGroup, path);
  const field = place.key === content ? '' : ` ${fieldName(place.key)}`;
  return edited(
    config,
    changeGroup(config.channelGroup, path, (each) => withContent(each, target, changed)),
    `${pathOf(...path, name)}${field}: ${shown(before)} -> ${shown(after)}`,
  );
}

/** The name of a field as in paths and reviews: `maxMessageCount` for `max_message_count`; other keys stay. */
const fieldName = (key: string): string =>
  /^[a-z]+(?:_[a-z\d]+)+$/.test(key)
    ? key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    : key;

/** The JSON of an empty message, for which the JSON of a config has null. */
function emptyJson({ path, name }: Target): JsonValue {
  const type = typeOfValue(path, name);
  if (type === undefined) return null;
  const fields = Object.entries(type.empty() as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    fields.map(([field, value]) => [
      field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      emptyFieldJson(value),
    ]),
  );
}

function emptyFieldJson(value: unknown): JsonValue {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return new JsonNumber(String(value));
  // Bytes of these messages contain another message.
  return value instanceof Map || value instanceof Uint8Array ? {} : (value as JsonValue);
}

/** A config with only the element. */
function alone({ channelGroup }: Config, { kind, path, name }: Target): Config {
  const group = requiredGroup(channelGroup, path);
  let only =
    kind === 'value'
      ? makeGroup({
          values: new Map([[name, group.values.get(name) ?? makeValue({ modPolicy: NEW_MOD_POLICY })]]),
        })
      : makeGroup({
          policies: new Map([[name, group.policies.get(name) ?? makePolicy({ modPolicy: NEW_MOD_POLICY })]]),
        });
  for (const each of path.toReversed()) only = makeGroup({ groups: new Map([[each, only]]) });
  return { sequence: 0n, channelGroup: only };
}

/** Replaces the content of the element, and keeps everything else. */
function withContent(group: ConfigGroup, { kind, name }: Target, from: ConfigGroup): ConfigGroup {
  if (kind === 'policy') return withPolicy(group, name, from.policies.get(name)?.policy);
  const old = group.values.get(name) ?? { modPolicy: NEW_MOD_POLICY };
  const value = makeValue({ ...old, value: from.values.get(name)!.value });
  return makeGroup({ ...group, values: new Map(group.values).set(name, value) });
}

/** Follows the rest of the path. A message with a single field is replaced by that field. */
function findPlace(start: JsonPlace, target: Target, text: string): JsonPlace {
  const parts = [...target.rest];
  if (parts.length > 0 && normalized(parts[0]!) === start.key) parts.shift();
  let place = start;
  while (parts.length > 0) {
    const [next, used] = nextPlace(place, parts, target);
    place = next;
    parts.splice(0, used);
  }
  for (let only = singleField(place); only !== undefined && !/^\s*\{/.test(text); only = singleField(place))
    place = only;
  return place;
}

function nextPlace(place: JsonPlace, parts: readonly string[], { path, name }: Target): [JsonPlace, number] {
  const here = at(place);
  const where = `${pathOf(...path, name)}${place.key === 'value' ? '' : ` ${fieldName(place.key)}`}`;
  if (Array.isArray(here)) {
    const index = parts[0]!;
    if (/^\d{1,9}$/.test(index) && Number(index) <= here.length) return [{ holder: here, key: index }, 1];
    throw badEdit(
      `${where} has no entry ${JSON.stringify(index)}; it has ${here.length}, counted from 0, and ${here.length} adds one`,
    );
  }
  if (here === undefined || !isObject(here))
    throw badEdit(`${where} is ${shown(here)}, which has no field ${JSON.stringify(parts[0])}`);
  const match = matchName(parts, Object.keys(here));
  if (match !== undefined) return [{ holder: here, key: match.name }, match.used];
  if (MAPS.has(place.key)) return [{ holder: here, key: parts.join('.') }, parts.length];
  const only = singleField(place);
  if (only !== undefined) return [only, 0];
  throw unknownName(`${where} has no field`, parts[0]!, Object.keys(here).map(fieldName));
}

function singleField(place: JsonPlace): JsonPlace | undefined {
  const here = at(place);
  if (here === undefined || !isObject(here) || MAPS.has(place.key)) return undefined;
  const [key, ...others] = Object.keys(here);
  return key === undefined || others.length > 0 ? undefined : { holder: here, key };
}

/** Converts a text to the type of a place. @throws TranslateError BAD_EDIT */
function typedValue(place: JsonPlace, text: string, path: string): JsonValue {
  const old = at(place) ?? (isTextList(place.holder) ? '' : undefined);
  const wrong = (allowed: string): TranslateError =>
    badEdit(
      `${path}: ${JSON.stringify(text.slice(0, SHOWN))} is not a value of ${fieldName(place.key)}; ${allowed} is needed`,
    );
  if (old instanceof JsonNumber) {
    if (!/^-?\d{1,15}$/.test(text)) throw wrong('a whole number');
    return new JsonNumber(text);
  }
  if (typeof old === 'boolean') {
    if (text !== 'true' && text !== 'false') throw wrong('true or false');
    return text === 'true';
  }
  const names = ENUMS.get(place.key);
  if (typeof old === 'string' && names !== undefined) {
    const name = names.find((each) => `_${each}`.endsWith(`_${text.toUpperCase()}`));
    if (name === undefined) throw wrong(names.join(' or '));
    return name;
  }
  if (typeof old === 'string') {
    if (DURATION.test(place.key) && 'error' in parseDuration(text))
      throw wrong('a duration such as 2s or 500ms');
    return text;
  }
  if (isMapEntry(place) && !/^\s*\{/.test(text)) return { policy_ref: text };
  const value = attempt(
    () => parseOnlyJson(text),
    () => {
      throw wrong('JSON');
    },
  );
  if (Array.isArray(old) && !Array.isArray(value)) throw wrong('a JSON list such as ["a", "b"]');
  if (old !== undefined && isObject(old) && !isObject(value)) throw wrong('a JSON object such as {"a": 1}');
  return value;
}

/** Whether the place is an entry of the ACLs, the only map with entries that have a field. */
const isMapEntry = ({ key }: JsonPlace): boolean => key.includes('/');

/**
 * Puts a value into a document and encodes the document. In JSON, bytes are base64: if PEM is refused for a field, its base64 is used
 * instead.
 *
 * @returns the final value, and the bytes
 * @throws TranslateError BAD_EDIT
 */
function encoded(
  document: JsonObject,
  place: JsonPlace,
  given: JsonValue,
  what: string,
): [JsonValue, Uint8Array] {
  const encodedWith = (value: JsonValue): [JsonValue, Uint8Array] => {
    put(place, value);
    return [value, encodeValue('common.Config', document)];
  };
  const refuse = ({ reason }: TranslateError): never => {
    throw badEdit(`${what}: ${reason}`);
  };
  return attempt(
    () => encodedWith(given),
    (error) =>
      typeof given === 'string' && given.startsWith(PEM)
        ? attempt(
            () => encodedWith(btoa(toLatin1(new TextEncoder().encode(given)))),
            () => refuse(error),
          )
        : refuse(error),
  );
}

function at({ holder, key }: JsonPlace): JsonValue | undefined {
  return Array.isArray(holder) ? holder[Number(key)] : Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function put({ holder, key }: JsonPlace, value: JsonValue): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

const isTextList = (holder: JsonObject | JsonValue[]): boolean =>
  Array.isArray(holder) && (holder.length === 0 || typeof holder[0] === 'string');

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : beginningOf(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** The JSON of a value without whitespace, truncated to little more than is shown, so that deep values do not overflow the stack. */
function beginningOf(value: JsonValue): string {
  let text = '';
  const add = (each: JsonValue): void => {
    if (text.length > SHOWN) return;
    if (each instanceof JsonNumber) text += each.text;
    else if (Array.isArray(each)) addAll('[', each, add, ']');
    else if (isObject(each))
      addAll(
        '{',
        Object.entries(each),
        ([key, inner]) => {
          text += `${JSON.stringify(key)}:`;
          add(inner);
        },
        '}',
      );
    else text += JSON.stringify(each);
  };
  const addAll = <Each>(
    opening: string,
    all: readonly Each[],
    addOne: (each: Each) => void,
    closing: string,
  ): void => {
    text += opening;
    for (const [index, each] of all.entries()) {
      if (text.length > SHOWN) return;
      if (index > 0) text += ',';
      addOne(each);
    }
    text += closing;
  };
  add(value);
  return text;
}
