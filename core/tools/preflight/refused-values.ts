// Checks values that a program refuses: types in `orderer.yaml` (Fabric: common/viperutil, with mapstructure), and names and combinations that
// the programs of peers and orderers check (orderer/common/server/main.go, `reuseListener`; orderer/common/localconfig, `completeInitialization`;
// bccsp/sw/conf.go; core/handlers/library; core/comm/config.go; common/flogging).

import type { FabricVersion } from '../../../translator/channel/index.js';
import type { NodeValue, NodeValues } from '../../../config/index.js';
import { reasonOf } from '../../contract/index.js';
import { parseLogSpec } from '../../contract/log-spec.js';
import { parseDuration } from '../../common/text/go-duration.js';
import { finding, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';
import { fileError } from './files.js';
import { ordererKeys, ordererSections, type KeyType } from './orderer-keys.js';
import { readRegularBytes } from '../../common/files/regular-file.js';

/** Largest file with a value, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** Values that the program refuses. */
export function refusedValues(node: NodeValues<ProgramDecoders>, fabric: FabricVersion): Finding[] {
  return [
    ...logCauses(node),
    ...(node.kind === 'orderer' ? ordererCauses(node, fabric) : peerCauses(node, fabric)),
    ...cryptoCauses(node, node.kind === 'peer' ? 'peer.BCCSP' : 'General.BCCSP'),
  ];
}

/** @param allowed in plain words @param prints a part of the message of the program */
const refused = (
  { origin, value }: Pick<NodeValue, 'origin' | 'value'>,
  prints: string,
  allowed: string,
): Finding => finding('value-refused', origin, { value, prints, allowed });

/** An option of the colour that a program refuses (Fabric: common/flogging/fabenc/formatter.go, `newColorFormatter`). */
export const UNKNOWN_COLOUR = /%\{color:(?!bold\}|reset\}|\})([^}]*)\}/;

function logCauses({ variables }: NodeValues): Finding[] {
  const found: Finding[] = [];
  const of = (name: string): { origin: string; value: string } => ({
    origin: `variable ${name}`,
    value: variables[name] ?? '',
  });
  const spec = of('FABRIC_LOGGING_SPEC');
  try {
    parseLogSpec(spec.value);
  } catch (error) {
    found.push(refused(spec, reasonOf(error), 'a logging specification such as info:gossip=warn'));
  }
  const format = of('FABRIC_LOGGING_FORMAT');
  const [, colour] = UNKNOWN_COLOUR.exec(format.value) ?? [];
  if (colour !== undefined)
    found.push(
      refused(
        format,
        `invalid color option: ${colour}`,
        'a format with %{color}, %{color:bold} or %{color:reset}',
      ),
    );
  return found;
}

/** The crypto provider SW, which every node uses for hashes. */
function cryptoCauses(node: NodeValues, section: string): Finding[] {
  const provider = node.text(`${section}.Default`);
  if (!['', 'SW', 'PKCS11'].includes(provider.value))
    return [refused(provider, `Could not find default \`${provider.value}\` BCCSP`, 'SW or PKCS11')];
  if (provider.value === 'PKCS11') return [];
  const [hash, level] = [node.text(`${section}.SW.Hash`), node.text(`${section}.SW.Security`)];
  if (hash.value !== '' && !/^SHA[23]$/.test(hash.value))
    return [refused(hash, `Hash Family not supported [${hash.value}]`, 'SHA2 or SHA3')];
  return ['', '0', '256', '384'].includes(level.value) || !/^\d+$/.test(level.value)
    ? []
    : [refused(level, `Security level not supported [${level.value}]`, '256 or 384')];
}

/** Handlers that are compiled into the peer (core/handlers/library/library.go). */
const HANDLERS = [
  'DefaultAuth',
  'ExpirationCheck',
  'DefaultDecorator',
  'DefaultEndorsement',
  'DefaultValidation',
];

function peerCauses(node: NodeValues, fabric: FabricVersion): Finding[] {
  const found: Finding[] = [];
  const type = node.text('peer.localMspType');
  if (!['', 'bccsp', 'idemix'].includes(type.value))
    found.push(refused(type, `unknown MSP type '${type.value}'`, 'bccsp'));
  const [certificate, key] = ['peer.tls.clientCert.file', 'peer.tls.clientKey.file'].map((each) =>
    node.text(each),
  );
  if (node.isTrue('peer.tls.enabled') && (certificate!.value === '') !== (key!.value === ''))
    found.push(
      refused(
        certificate!.value === '' ? key! : certificate!,
        'peer.tls.clientKey.file and peer.tls.clientCert.file must both be set or must both be empty',
        'set together with peer.tls.clientCert.file and peer.tls.clientKey.file, or empty like the other one',
      ),
    );
  const known = fabric === '2.5' ? HANDLERS : [...HANDLERS, 'TimeWindowCheck'];
  for (const [place, { name, origin }] of handlersOf(node))
    if (!known.includes(name))
      found.push(
        refused(
          { origin: `${origin} (${place})`, value: name },
          `Method ${name} isn't a method of HandlerLibrary`,
          known.join(', '),
        ),
      );
  return found;
}

/** The handlers without a library, by their place. */
function handlersOf(
  node: NodeValues,
): (readonly [place: string, handler: { name: string; origin: string }])[] {
  return ['authFilters', 'decorators', 'endorsers', 'validators'].flatMap((kind) => {
    const { value, origin } = node.value(`peer.handlers.${kind}`);
    const entries = value instanceof Map || Array.isArray(value) ? [...value.entries()] : [];
    return entries.flatMap(([place, entry]) => {
      const text = (key: string): string =>
        entry instanceof Map
          ? String([...entry].find(([name]) => String(name).toLowerCase() === key)?.[1] ?? '')
          : '';
      return text('library') === '' ? [[`${place}`, { name: text('name'), origin }] as const] : [];
    });
  });
}

function ordererCauses(node: NodeValues<ProgramDecoders>, fabric: FabricVersion): Finding[] {
  const sections = ordererSections(fabric).flatMap((section): Finding[] => {
    const found = node.value(section);
    return found.value === undefined || found.value instanceof Map
      ? []
      : [refused(found, `'${section}' expected a map`, 'a mapping')];
  });
  const values = [...ordererKeys(fabric)].flatMap(([key, type]): Finding[] => {
    const found = node.value(key);
    const allowed = found.value === undefined ? undefined : refusalOf(node, key, type, found);
    // The message can be about an item of a list: 'General.TLS.RootCAs[0]'.
    const prints = type === 'list' ? `'${key}` : `'${key}'`;
    return allowed === undefined ? [] : [refused(found, prints, allowed)];
  });
  return [...sections, ...values, ...combinationCauses(node, fabric)];
}

function combinationCauses(node: NodeValues, fabric: FabricVersion): Finding[] {
  const method = node.text('General.BootstrapMethod');
  const found: Finding[] = ['', 'none', 'file'].includes(method.value)
    ? []
    : [refused(method, `Unknown bootstrap method: ${method.value}`, 'none')];
  const auth = node.value('Admin.TLS.ClientAuthRequired');
  if (node.isTrue('Admin.TLS.Enabled') && !node.isTrue('Admin.TLS.ClientAuthRequired'))
    found.push(
      refused(
        auth,
        'Admin.TLS.ClientAuthRequired must be set to true if Admin.TLS.Enabled is set to true',
        'true',
      ),
    );
  // An orderer of 2.5 with a system channel can have another type of consensus.
  if (fabric === '2.5' && method.value !== 'none') return found;
  const names = ['ListenPort', 'ListenAddress', 'ServerCertificate', 'ServerPrivateKey'];
  const cluster = names.map((name) => node.text(`General.Cluster.${name}`));
  const given = cluster.filter(({ value }) => value !== '' && value !== '0');
  if (given.length > 0 && given.length < names.length)
    found.push(
      refused(
        cluster.find((each) => !given.includes(each))!,
        'General.Cluster.ListenPort, General.Cluster.ListenAddress, General.Cluster.ServerCertificate, General.Cluster.ServerPrivateKey, should be defined altogether',
        `set together with ${names.join(', ')} of General.Cluster, or all of them empty`,
      ),
    );
  if (given.length === 0 && !node.isTrue('General.TLS.Enabled'))
    found.push(
      refused(
        node.value('General.TLS.Enabled'),
        'TLS is required for running ordering nodes of cluster type.',
        'true, because orderers connect to each other with TLS',
      ),
    );
  return found;
}

/** What a key must be, if the decoder refuses its value; otherwise undefined. Numbers and booleans are accepted everywhere. */
function refusalOf(
  node: NodeValues<ProgramDecoders>,
  key: string,
  type: KeyType,
  { value, variable }: NodeValue,
): string | undefined {
  if (type === 'any' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return undefined;
  if (value instanceof Uint8Array) return undefined;
  if (typeof value !== 'string') {
    const isAccepted = type === 'list' ? isList(value, node) : type === 'text' && isReadable(value);
    return isAccepted ? undefined : ALLOWED[type];
  }
  // In a file, Go's parsers of YAML take these texts as numbers, and those of 2.5 these words as booleans.
  if (variable === undefined && /^[-+]?\d[\d_]*$/.test(value) && value.includes('_')) return undefined;
  if (node.decoders.hasYamlBooleans && variable === undefined && /^(?:y|n|yes|no|on|off)$/i.test(value))
    return undefined;
  const isAccepted = type === 'boolean' ? node.flag(key) !== undefined : ACCEPTS[type](value);
  return isAccepted ? undefined : ALLOWED[type];
}

const ALLOWED: Readonly<Record<Exclude<KeyType, 'any'>, string>> = {
  text: 'a text, or the mapping {File: PATH} with a file that exists',
  boolean: 'true or false',
  port: 'a number from 0 to 65535',
  size: 'a number of bytes, such as 1048576 or 1 MB',
  int: 'an integer',
  int16: 'an integer of 16 bits',
  int32: 'an integer of 32 bits, without a unit',
  float: 'a number',
  duration: 'a duration with its unit, such as 10s',
  list: 'a list of texts',
};

/** Whether a text is accepted as a value of a type. A list in a text is no value of another type. */
const ACCEPTS: Readonly<Record<Exclude<KeyType, 'any' | 'boolean'>, (text: string) => boolean>> = {
  text: (text) => !/^\[.*\]$/s.test(text),
  port: (text) => isInteger(text, 0n, 0xffffn),
  size: (text) => isSize(text),
  int: (text) => isInteger(text, -(2n ** 63n), 2n ** 63n - 1n),
  int16: (text) => isInteger(text, -(2n ** 15n), 2n ** 15n - 1n),
  int32: (text) => isInteger(text, -(2n ** 31n), 2n ** 31n - 1n),
  float: (text) => text === '' || /^[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text),
  duration: (text) => !('error' in parseDuration(text)),
  list: () => true,
};

/** An integer as Go's `strconv.ParseInt` reads it with base 0; an empty text is 0. */
function isInteger(text: string, least: bigint, largest: bigint): boolean {
  if (text === '') return true;
  const [, sign = '', digits = ''] =
    /^([-+]?)(0x[0-9a-f_]+|0b[01_]+|0o[0-7_]+|0[0-7_]*|[1-9][0-9_]*)$/i.exec(text) ?? [];
  if (digits === '' || digits.length > 80 || (sign !== '' && least === 0n)) return false;
  const plain = digits.replaceAll('_', '').replace(/^0(?=[0-7])/, '0o');
  const number = BigInt(plain) * (sign === '-' ? -1n : 1n);
  return number >= least && number <= largest;
}

/** A number of bytes below 4 GiB (common/viperutil, `byteSizeDecodeHook`). */
function isSize(text: string): boolean {
  const [, count = '', unit = ''] = /^(\d{1,20})\s*([kmg])b?$/i.exec(text) ?? [];
  if (count === '') return isInteger(text, 0n, 0xffff_ffffn);
  return BigInt(count) << { k: 10n, m: 20n, g: 30n }[unit.toLowerCase() as 'k' | 'm' | 'g'] <= 0xffff_ffffn;
}

/** Whether a value that is neither text nor number is a list of texts: an empty mapping is an empty list, and `File` names a file of certificates. */
function isList(value: unknown, { decoders }: NodeValues<ProgramDecoders>): boolean {
  if (value instanceof Map) return value.size === 0 || fileIn(value) === null || isReadable(value);
  return (
    Array.isArray(value) &&
    value.every((item) => !Array.isArray(item) && (!(item instanceof Map) || !decoders.hasNewLists))
  );
}

/** The file that a mapping names; undefined if it names none. */
const fileIn = (value: ReadonlyMap<unknown, unknown>): unknown =>
  value.get('File') ?? value.get('file') ?? (value.has('File') ? null : undefined);

/** Whether a value is a mapping that names a file which can be read. */
function isReadable(value: unknown): boolean {
  const file = value instanceof Map ? fileIn(value) : undefined;
  return (
    typeof file === 'string' && fileError(file, () => readRegularBytes(file, MAX_FILE_SIZE)) === undefined
  );
}
