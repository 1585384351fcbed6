// Keys and values of orderer.yaml that the decoder of an orderer refuses (Fabric: orderer/common/localconfig and common/viperutil,
// `EnhancedExactUnmarshal`): it knows every key, so that the file of one version can stop another. A peer ignores what it does not know.

import type { FabricVersion } from 'fabric-ops-agent/translator/channel';
import { parseDuration } from '../common/text/go-duration.js';
import { suggestion } from '../common/text/nearest.js';
import type { Found } from './cause.js';
import { isVariable, type PreflightNode } from './node.js';

/** What a value is decoded to. `any`: everything below the key is left to others. */
type Type = 'text' | 'bool' | 'uint' | 'int' | 'float' | 'duration' | 'list' | 'any';

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
  ListenPort: 'uint',
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
  ListenPort: 'uint',
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
  MaxRecvMsgSize: 'int',
  MaxSendMsgSize: 'int',
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
  ChannelParticipation: { Enabled: 'bool', MaxRequestBodySize: 'uint' },
  Admin: { ListenAddress: 'text', TLS },
};

/** The keys that a program prints at its start, by version (2.5.12 and 3.0.0). */
const KEYS: Readonly<Record<FabricVersion, Section>> = {
  '2.5': {
    ...COMMON,
    General: { ...GENERAL, Cluster: { ...CLUSTER, ReplicationBackgroundRefreshInterval: 'duration' } },
    Kafka: 'any',
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

/** What the decoder of an orderer of a version refuses. */
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
    for (const [name, value] of tree) {
      const key = Object.keys(known).find((each) => each.toLowerCase() === String(name).toLowerCase());
      if (key === undefined) {
        // The decoder does not see a key without a value.
        if (value !== null) this.#unknown(String(name), known, path);
        continue;
      }
      const here = [...path, String(name)];
      const type = known[key]!;
      if (type === 'any' || value === null || value === undefined) continue;
      if (typeof type !== 'object') this.#value([...path, key], type);
      else if (value instanceof Map) this.section(value, type, here);
      else this.#notASection(here, [...path, key], value);
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
        : `an orderer knows no key ${here.join('.')}, and refuses the file`,
      where: `${this.#node.file.where(here)}: ${here.join('.')}`,
      todo: isOfOther
        ? `remove ${here.join('.')} from the file${this.#fabric === '2.5' ? '' : ' when the orderer gets the new version'}`
        : `remove it; ${suggestion(name, Object.keys(known))}`,
    });
  }

  #isOfOtherVersion(path: readonly string[]): boolean {
    let section: Type | Section | undefined = KEYS[this.#fabric === '2.5' ? '3.0' : '2.5'];
    for (const name of path) {
      if (typeof section !== 'object') return section === 'any';
      const keys: Section = section;
      const key = Object.keys(keys).find((each) => each.toLowerCase() === name.toLowerCase());
      section = key === undefined ? undefined : keys[key];
    }
    return section !== undefined;
  }

  #notASection(here: readonly string[], path: readonly string[], value: unknown): void {
    this.#found.push({
      id: 'wrong-value',
      says: `'${path.join('.')}' expected a map, got '`,
      means: `${path.join('.')} must be a mapping, and is ${JSON.stringify(value)}`,
      where: `${this.#node.file.where(here)}: ${path.join('.')}`,
      todo: 'write its keys below it, indented',
    });
  }

  /** A value as the program gets it: a variable overrides the file. */
  #value(path: readonly string[], type: Exclude<Type, 'any'>): void {
    const key = path.join('.');
    const { value, origin } = this.#node.value(key);
    const problem = decodeProblem(key, value, type, isVariable(origin));
    if (problem === undefined) return;
    this.#found.push({
      id: 'wrong-value',
      says: problem.says,
      means: `${key} must be ${problem.allowed}, and is ${shown(value)}`,
      where: origin,
      todo: `write ${problem.allowed}`,
    });
  }
}

const BOOLEAN = /^(?:|1|t|T|TRUE|true|True|0|f|F|FALSE|false|False)$/;
/** What Go's YAML takes as a boolean besides. */
const YAML_BOOLEAN = /^(?:y|yes|on|n|no|off)$/i;
const SIZE = /^\d+\s*[kmg]b?$/i;
const WHOLE = /^(?:|[+-]?(?:0x[\da-f_]+|[\d_]+))$/i;

/** What the decoder prints for a text that is not of the type; undefined if it takes it. Other values are converted. */
function decodeProblem(
  key: string,
  value: unknown,
  type: Exclude<Type, 'any'>,
  isOfVariable: boolean,
): { readonly says: string; readonly allowed: string } | undefined {
  if (value instanceof Map || (Array.isArray(value) && type !== 'list'))
    // A mapping becomes the only value of a list.
    return {
      says: `'${key}${type === 'list' ? '[0]' : ''}' expected type '`,
      allowed: type === 'list' ? 'a list' : 'one value',
    };
  if (typeof value !== 'string' || type === 'text' || type === 'list') return undefined;
  const parse = (kind: string, go: string): string =>
    `cannot parse '${key}' as ${kind}: strconv.${go}: parsing ${JSON.stringify(value)}: invalid syntax`;
  if (type === 'bool')
    return BOOLEAN.test(value) || (!isOfVariable && YAML_BOOLEAN.test(value))
      ? undefined
      : { says: parse('bool', 'ParseBool'), allowed: 'true or false' };
  if (type === 'duration') {
    const duration = parseDuration(value);
    return 'error' in duration
      ? { says: `error decoding '${key}': ${duration.error}`, allowed: 'a duration such as 15m' }
      : undefined;
  }
  if (type === 'float')
    return value === '' || Number.isFinite(Number(value))
      ? undefined
      : { says: parse('float', 'ParseFloat'), allowed: 'a number' };
  if (WHOLE.test(value) || (type === 'uint' && SIZE.test(value))) return undefined;
  return { says: parse(type, type === 'uint' ? 'ParseUint' : 'ParseInt'), allowed: 'a whole number' };
}

const shown = (value: unknown): string =>
  value instanceof Map ? 'a mapping' : Array.isArray(value) ? 'a list' : JSON.stringify(value);
