// Checks for keys and values of orderer.yaml that the decoder of an orderer refuses (Fabric: orderer/common/localconfig and
// common/viperutil, `EnhancedExactUnmarshal`): it refuses unknown keys, so that the file of one version can prevent the start of another. A
// peer ignores unknown keys.

import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import type { FabricVersion } from 'fabric-ops-agent/translator/channel';
import { isGoBoolean } from '../../../config/index.js';
import { parseDuration } from '../../common/text/go-duration.js';
import { suggestion } from '../../common/text/nearest.js';
import type { Found } from './cause.js';
import type { Decoders } from './decoders.js';
import { fileError } from './files.js';
import { fileIn, isVariable, type PreflightNode } from './node.js';

/** The type of a value. `any`: other rules check everything below the key; `section`: a mapping with unchecked keys. */
type Type =
  | 'text'
  | 'bool'
  | 'uint16'
  | 'uint32'
  | 'int'
  | 'int32'
  | 'float'
  | 'duration'
  | 'list'
  | 'any'
  | 'section';

type LeafType = Exclude<Type, 'any' | 'section'>;

const TLS = {
  Enabled: 'bool',
  PrivateKey: 'text',
  Certificate: 'text',
  RootCAs: 'list',
  ClientAuthRequired: 'bool',
  ClientRootCAs: 'list',
  TLSHandshakeTimeShift: 'duration',
} as const;

/** The type of a key, or the keys of a section. */
type Section = { readonly [key: string]: Type | Section };

const CLUSTER: Section = {
  ListenAddress: 'text',
  ListenPort: 'uint16',
  ServerCertificate: 'text',
  ServerPrivateKey: 'text',
  ClientCertificate: 'text',
  ClientPrivateKey: 'text',
  RootCAs: 'list',
  DialTimeout: 'duration',
  RPCTimeout: 'duration',
  ReplicationBufferSize: 'int',
  ReplicationPullTimeout: 'duration',
  ReplicationRetryTimeout: 'duration',
  ReplicationMaxRetries: 'int',
  SendBufferSize: 'int',
  CertExpirationWarningThreshold: 'duration',
  TLSHandshakeTimeShift: 'duration',
};

const GENERAL: Section = {
  ListenAddress: 'text',
  ListenPort: 'uint16',
  TLS,
  Keepalive: { ServerMinInterval: 'duration', ServerInterval: 'duration', ServerTimeout: 'duration' },
  ConnectionTimeout: 'duration',
  GenesisMethod: 'text',
  GenesisFile: 'text',
  BootstrapMethod: 'text',
  BootstrapFile: 'text',
  Profile: { Enabled: 'bool', Address: 'text' },
  LocalMSPDir: 'text',
  LocalMSPID: 'text',
  BCCSP: 'any',
  Authentication: { TimeWindow: 'duration', NoExpirationChecks: 'bool' },
  MaxRecvMsgSize: 'int32',
  MaxSendMsgSize: 'int32',
};

const COMMON: Section = {
  FileLedger: { Location: 'text', Prefix: 'text' },
  Debug: { BroadcastTraceDir: 'text', DeliverTraceDir: 'text' },
  Consensus: 'any',
  Operations: { ListenAddress: 'text', TLS },
  Metrics: {
    Provider: 'text',
    Statsd: { Network: 'text', Address: 'text', WriteInterval: 'duration', Prefix: 'text' },
  },
  ChannelParticipation: { Enabled: 'bool', MaxRequestBodySize: 'uint32' },
  Admin: { ListenAddress: 'text', TLS },
};

/** The keys that a program prints at its start, by version (2.5.12 and 3.0.0). */
const KEYS: Readonly<Record<FabricVersion, Section>> = {
  '2.5': {
    ...COMMON,
    General: { ...GENERAL, Cluster: { ...CLUSTER, ReplicationBackgroundRefreshInterval: 'duration' } },
    Kafka: 'section',
  },
  '3.0': {
    ...COMMON,
    General: {
      ...GENERAL,
      Cluster: { ...CLUSTER, ReplicationPolicy: 'text' },
      Backoff: { BaseDelay: 'duration', Multiplier: 'float', MaxDelay: 'duration' },
      Throttling: { Rate: 'int', InactivityTimeout: 'duration' },
    },
  },
};

/** The keys of an orderer of a version, without those below `any`. */
export function ordererKeys(fabric: FabricVersion): string[] {
  const below = (section: Section, path: string): string[] =>
    Object.entries(section).flatMap(([name, type]) =>
      typeof type === 'object' ? below(type, `${path}${name}.`) : [path + name],
    );
  return below(KEYS[fabric], '');
}

/** Startup errors of the decoder of an orderer of a version. */
export function ordererFileCauses(node: PreflightNode, fabric: FabricVersion): Found[] {
  const found: Found[] = [];
  new Decoder(node, fabric, found).section(node.file.tree, KEYS[fabric], []);
  return found;
}

class Decoder {
  readonly #node: PreflightNode;
  readonly #fabric: FabricVersion;
  readonly #found: Found[];

  constructor(node: PreflightNode, fabric: FabricVersion, found: Found[]) {
    this.#node = node;
    this.#fabric = fabric;
    this.#found = found;
  }

  section(tree: ReadonlyMap<unknown, unknown>, known: Section, path: readonly string[]): void {
    for (const name of tree.keys()) {
      const isKnown = Object.keys(known).some((key) => key.toLowerCase() === String(name).toLowerCase());
      // The decoder ignores a key without a value.
      if (!isKnown && this.#node.value([...path, String(name)].join('.')).value !== undefined)
        this.#unknown(String(name), known, path);
    }
    for (const [name, type] of Object.entries(known)) {
      const here = [...path, name];
      const { value, origin } = this.#node.value(here.join('.'));
      if (value === undefined || type === 'any' || (type === 'section' && value instanceof Map)) continue;
      if (typeof type !== 'object' && type !== 'section') this.#value(here, type);
      else if (type === 'section') this.#notASection(here, value, origin);
      else if (value instanceof Map) this.section(value, type, here);
      else this.#notASection(here, value, origin);
    }
  }

  #unknown(name: string, known: Section, path: readonly string[]): void {
    const here = [...path, name];
    const isOfOther = this.#isOfOtherVersion(here);
    const versions = this.#fabric === '2.5' ? ['3', '2.5'] : ['2.5', '3'];
    this.#found.push({
      id: 'unknown-key',
      says: `'${path.join('.')}' has invalid keys: ${name}`,
      means: isOfOther
        ? `${here.join('.')} is a key of Fabric ${versions[0]}; an orderer of ${versions[1]} does not know it, and refuses the file`
        : `an orderer does not know the key ${here.join('.')}, and refuses the file`,
      where: `${this.#node.file.where(here)}: ${here.join('.')}`,
      todo: isOfOther
        ? `remove ${here.join('.')} from the file${this.#fabric === '2.5' ? '' : ' when the orderer gets the new version'}`
        : `remove it; ${suggestion(name, Object.keys(known))}`,
    });
  }

  #isOfOtherVersion(path: readonly string[]): boolean {
    let section: Type | Section | undefined = KEYS[this.#fabric === '2.5' ? '3.0' : '2.5'];
    for (const name of path) {
      if (typeof section !== 'object') return section === 'any' || section === 'section';
      const keys: Section = section;
      const key = Object.keys(keys).find((each) => each.toLowerCase() === name.toLowerCase());
      section = key === undefined ? undefined : keys[key];
    }
    return section !== undefined;
  }

  #notASection(path: readonly string[], value: unknown, origin: string): void {
    const key = path.join('.');
    this.#found.push({
      id: 'wrong-value',
      says: `'${key}' expected a map`,
      means: `${key} must be a mapping, but is ${shown(value)}`,
      where: origin,
      todo: isVariable(origin) ? 'remove the variable' : 'write its keys below it, indented',
    });
  }

  /** A value as the program gets it: a variable overrides the file. */
  #value(path: readonly string[], type: LeafType): void {
    const key = path.join('.');
    const { value, origin } = this.#node.value(key);
    const problem =
      this.#fileProblem(key, value, type) ??
      decodeProblem(key, value, type, isVariable(origin), this.#node.decoders);
    if (problem === undefined) return;
    this.#found.push({
      id: 'wrong-value',
      says: problem.says,
      means: `${key} must be ${problem.allowed}, but is ${shown(value)}`,
      where: origin,
      todo: `write ${problem.allowed}`,
    });
  }

  /** Why a file that replaces a text or a list of certificates cannot be read. */
  #fileProblem(key: string, value: unknown, type: LeafType): ReturnType<typeof decodeProblem> {
    const path = type === 'text' || type === 'list' ? fileIn(value) : undefined;
    if (path === undefined || path === '') return undefined;
    const fault = fileError(path, () => accessSync(resolve(this.#node.cwd, path), constants.R_OK));
    if (fault === undefined) return undefined;
    return {
      says: this.#node.decoders.hidesValues ? `'${key}' ${fault}` : `error decoding '${key}': ${fault}`,
      allowed: 'the path of a file that the orderer can read',
    };
  }
}

/** Further words that Go's YAML reads as booleans. */
const YAML_BOOLEAN = /^(?:y|yes|on|n|no|off)$/i;
const SIZES: ReadonlyMap<string, bigint> = new Map([
  ['k', 1n << 10n],
  ['m', 1n << 20n],
  ['g', 1n << 30n],
]);
const LIMITS: Readonly<Record<'uint16' | 'uint32' | 'int' | 'int32', readonly [bigint, bigint]>> = {
  uint16: [0n, (1n << 16n) - 1n],
  uint32: [0n, (1n << 32n) - 1n],
  int32: [-(1n << 31n), (1n << 31n) - 1n],
  int: [-(1n << 63n), (1n << 63n) - 1n],
};

/** Why the decoder refuses a value; undefined if it does not. It converts numbers and booleans to all types (mapstructure, `WeaklyTypedInput`). */
function decodeProblem(
  key: string,
  value: unknown,
  type: LeafType,
  isOfVariable: boolean,
  { hasYamlBooleans, hidesValues }: Decoders,
): { readonly says: string; readonly allowed: string } | undefined {
  if (type === 'list') return listProblem(key, value);
  const allowed = ALLOWED[type];
  // A text in brackets becomes a list, whatever the type of the key.
  const isList = Array.isArray(value) || (type !== 'duration' && isBracketed(value));
  // `File` names a file with the text.
  if (type === 'text' && fileIn(value) !== undefined) return undefined;
  if (value instanceof Map || isList) return { says: `'${key}' expected type '`, allowed };
  if (typeof value !== 'string' || type === 'text') return undefined;
  const unparsed = (kind: string, go: string, why = 'invalid syntax') => ({
    says: hidesValues
      ? `'${key}' cannot parse value as '${type === 'float' ? 'float64' : type}': strconv.${go}: ${why}`
      : `cannot parse '${key}' as ${kind}: strconv.${go}: parsing ${JSON.stringify(value)}: ${why}`,
    allowed,
  });
  if (type === 'bool') {
    const isYaml = hasYamlBooleans && !isOfVariable && YAML_BOOLEAN.test(value);
    return isGoBoolean(value) || isYaml ? undefined : unparsed('bool', 'ParseBool');
  }
  if (type === 'duration') {
    const duration = parseDuration(value);
    if (!('error' in duration)) return undefined;
    return { says: hidesValues ? `'${key}' time: ` : `error decoding '${key}': ${duration.error}`, allowed };
  }
  if (type === 'float')
    return value === '' || Number.isFinite(Number(value)) ? undefined : unparsed('float', 'ParseFloat');
  const problem = wholeProblem(value, type);
  if (problem === undefined) return undefined;
  if (problem === 'overflows')
    return { says: `value '${value}' overflows uint32`, allowed: 'a size of less than 4g' };
  return type.startsWith('uint')
    ? unparsed('uint', 'ParseUint', problem)
    : unparsed('int', 'ParseInt', problem);
}

const ALLOWED: Readonly<Record<Exclude<LeafType, 'list'>, string>> = {
  text: 'one value that does not begin with [',
  bool: 'true or false',
  duration: 'a duration such as 15m',
  float: 'a number',
  int: 'a whole number',
  int32: 'a whole number below 2147483648',
  uint16: 'a whole number from 0 to 65535',
  uint32: 'a whole number or a size such as 1 MB',
};

const isBracketed = (value: unknown): boolean => typeof value === 'string' && /^\[.*\]$/s.test(value);

/** A list must not contain mappings or lists. */
function listProblem(
  key: string,
  value: unknown,
): { readonly says: string; readonly allowed: string } | undefined {
  // The certificates in it become the list, which other rules check.
  if (fileIn(value) !== undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const index = list.findIndex((each) => each instanceof Map || Array.isArray(each));
  if (index < 0) return undefined;
  return { says: `'${key}`, allowed: 'a list of texts' };
}

/** Why Go's `strconv.ParseInt` or `ParseUint` refuses a text; a number of 32 bits without a sign may have a unit. */
function wholeProblem(
  text: string,
  type: keyof typeof LIMITS,
): 'invalid syntax' | 'value out of range' | 'overflows' | undefined {
  const [least, most] = LIMITS[type];
  const [, size, unit = ''] = (type === 'uint32' && /^(\d+)\s*([kmg])b?$/i.exec(text)) || [];
  if (size !== undefined)
    return BigInt(size) * (SIZES.get(unit.toLowerCase()) ?? 1n) > most ? 'overflows' : undefined;
  const number = goInteger(text, type.startsWith('uint'));
  if (number === undefined) return 'invalid syntax';
  return number < least || number > most ? 'value out of range' : undefined;
}

/** A whole number as Go reads it, with the base in its prefix: `0x10`, `0b11`, `0o7`, `07`, `1_000`; an empty text is 0. */
function goInteger(text: string, isUnsigned: boolean): bigint | undefined {
  if (text === '') return 0n;
  const [, sign = '', digits = ''] = /^([+-]?)([\da-z_]+)$/i.exec(text) ?? [];
  if (digits === '' || (isUnsigned && sign !== '') || /__|_$|^_/.test(digits)) return undefined;
  const octal = /^0_?([0-7_]+)$/.exec(digits)?.[1];
  const plain = (octal === undefined ? digits : `0o${octal}`).replaceAll('_', '');
  if (!/^(?:\d+|0x[\da-f]+|0b[01]+|0o[0-7]+)$/i.test(plain) || (/^0\d/.test(plain) && octal === undefined))
    return undefined;
  return (sign === '-' ? -1n : 1n) * BigInt(plain.toLowerCase());
}

const shown = (value: unknown): string =>
  value instanceof Map ? 'a mapping' : Array.isArray(value) ? 'a list' : JSON.stringify(value);
