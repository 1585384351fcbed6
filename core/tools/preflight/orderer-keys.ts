// The keys of `orderer.yaml` by release (Fabric: orderer/common/localconfig/config.go, `TopLevel`). All releases of 2.5 have the same keys,
// and all releases of 3.0 and 3.1. An orderer refuses a file with any other key (common/viperutil/config_util.go, `EnhancedExactUnmarshal`).

import { addTo } from '../../common/group-by.js';
import type { FabricVersion } from '../../../translator/channel/index.js';
import { suggestion } from '../../common/text/nearest.js';
import { nodeVariable, type NodeValues } from '../../../config/index.js';
import { finding, type Finding } from './cause.js';

/** The type of a key: text, if none is written. `port` and `size` are numbers of 16 and 32 bits; a size may have a unit. */
export type KeyType =
  | 'text'
  | 'boolean'
  | 'port'
  | 'size'
  | 'int'
  | 'int16'
  | 'int32'
  | 'float'
  | 'duration'
  | 'list'
  | 'any';

const TLS =
  'Enabled:boolean PrivateKey Certificate RootCAs:list ClientAuthRequired:boolean ClientRootCAs:list TLSHandshakeTimeShift:duration';

/** The keys of both versions with their types, by section. */
const COMMON: Readonly<Record<string, string>> = {
  General:
    'ListenAddress ListenPort:port ConnectionTimeout:duration GenesisMethod GenesisFile BootstrapMethod BootstrapFile LocalMSPDir LocalMSPID MaxRecvMsgSize:int32 MaxSendMsgSize:int32',
  'General.TLS': TLS,
  'General.Keepalive': 'ServerMinInterval:duration ServerInterval:duration ServerTimeout:duration',
  'General.Cluster':
    'ListenAddress ListenPort:port ServerCertificate ServerPrivateKey ClientCertificate ClientPrivateKey RootCAs:list DialTimeout:duration RPCTimeout:duration ReplicationBufferSize:int ReplicationPullTimeout:duration ReplicationRetryTimeout:duration ReplicationMaxRetries:int SendBufferSize:int CertExpirationWarningThreshold:duration TLSHandshakeTimeShift:duration',
  'General.Profile': 'Enabled:boolean Address',
  'General.Authentication': 'TimeWindow:duration NoExpirationChecks:boolean',
  FileLedger: 'Location Prefix',
  Debug: 'BroadcastTraceDir DeliverTraceDir',
  Operations: 'ListenAddress',
  'Operations.TLS': TLS,
  Metrics: 'Provider',
  'Metrics.Statsd': 'Network Address WriteInterval:duration Prefix',
  ChannelParticipation: 'Enabled:boolean MaxRequestBodySize:size',
  Admin: 'ListenAddress',
  'Admin.TLS': TLS,
};

/** The keys that only one version has. */
const OF_VERSION: Readonly<Record<FabricVersion, Readonly<Record<string, string>>>> = {
  '2.5': {
    'General.Cluster': 'ReplicationBackgroundRefreshInterval:duration',
    Kafka: 'Verbose:boolean Version:any',
    'Kafka.Retry': 'ShortInterval:duration ShortTotal:duration LongInterval:duration LongTotal:duration',
    'Kafka.Retry.NetworkTimeouts': 'DialTimeout:duration ReadTimeout:duration WriteTimeout:duration',
    'Kafka.Retry.Metadata': 'RetryMax:int RetryBackoff:duration',
    'Kafka.Retry.Producer': 'RetryMax:int RetryBackoff:duration',
    'Kafka.Retry.Consumer': 'RetryBackoff:duration',
    'Kafka.TLS': TLS,
    'Kafka.SASLPlain': 'Enabled:boolean User Password',
    'Kafka.Topic': 'ReplicationFactor:int16',
  },
  '3.0': {
    'General.Cluster': 'ReplicationPolicy',
    'General.Backoff': 'BaseDelay:duration Multiplier:float MaxDelay:duration',
    'General.Throttling': 'Rate:int InactivityTimeout:duration',
  },
};
const VERSIONS: readonly FabricVersion[] = ['2.5', '3.0'];
/** Sections with any content. */
const OPEN = ['General.BCCSP', 'Consensus'];

/** The keys of `orderer.yaml` with their sections, such as `General.TLS.Enabled`, and their types; not those of `General.BCCSP` and `Consensus`. */
export const ordererKeys = (fabric: FabricVersion): ReadonlyMap<string, KeyType> =>
  new Map(
    [COMMON, OF_VERSION[fabric]].flatMap((sections) =>
      Object.entries(sections).flatMap(([section, entries]) =>
        entries.split(' ').map((entry): [string, KeyType] => {
          const [name, type = 'text'] = entry.split(':');
          return [`${section}.${name}`, type as KeyType];
        }),
      ),
    ),
  );

/** The sections of `orderer.yaml` with a fixed content; not the file itself. */
export const ordererSections = (fabric: FabricVersion): readonly string[] =>
  [...KNOWN[fabric].keys()].filter((section) => section !== '');

/** The names in each section of a version; the empty section is the file. */
function namesBySection(fabric: FabricVersion): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>([['', new Set()]]);
  for (const key of [...ordererKeys(fabric).keys(), ...OPEN]) {
    const parts = key.split('.');
    for (const [depth, name] of parts.entries()) {
      addTo(found, parts.slice(0, depth).join('.'), name);
    }
  }
  return found;
}

const KNOWN: Readonly<Record<FabricVersion, ReturnType<typeof namesBySection>>> = {
  '2.5': namesBySection('2.5'),
  '3.0': namesBySection('3.0'),
};

/** A finding for each section of `orderer.yaml` with keys that the version refuses. */
export const unknownKeys = (node: NodeValues, fabric: FabricVersion): Finding[] =>
  node.kind === 'peer' ? [] : unknownIn(node, fabric, '', node.file.tree, []);

/**
 * The findings in a section and in the sections below it.
 *
 * @param section its name in Fabric
 * @param path its keys as written in the file
 */
function unknownIn(
  node: NodeValues,
  fabric: FabricVersion,
  section: string,
  entries: ReadonlyMap<unknown, unknown>,
  path: readonly string[],
): Finding[] {
  const names = KNOWN[fabric].get(section);
  if (names === undefined) return [];
  const written = [...entries]
    .map(([key, value]) => ({ key: String(key), value }))
    .filter(({ key, value }) => hasValue(node, [...path, key].join('.'), value));
  /** The keys that are decoded, by their names in Fabric: case is ignored, and the exact spelling counts if there are several. */
  const read = new Map<string, { readonly key: string; readonly value: unknown }>();
  for (const name of names) {
    const found =
      written.find(({ key }) => key === name) ??
      written.find(({ key }) => key.toLowerCase() === name.toLowerCase());
    if (found !== undefined) read.set(name, found);
  }
  const taken = new Set([...read.values()].map(({ key }) => key));
  const unknown = written.flatMap(({ key }) => (taken.has(key) ? [] : [key])).sort();
  const [first] = unknown;
  const place = (key: string): string => `${node.file.where([...path, key])}: ${[...path, key].join('.')}`;
  const own =
    first === undefined
      ? []
      : [
          finding('unknown-keys', place(first), {
            fabric,
            section,
            names: unknown,
            advice: unknown.map((key) => adviceOn(key, section, fabric)),
          }),
        ];
  const below = [...read].flatMap(([name, { key, value }]) =>
    value instanceof Map && !isReplaced(node, [...path, key].join('.'))
      ? unknownIn(node, fabric, section === '' ? name : `${section}.${name}`, value, [...path, key])
      : [],
  );
  return [...own, ...below];
}

/** Whether the orderer decodes a key: not one without a value, unless a variable gives it one. */
const hasValue = (node: NodeValues, key: string, value: unknown): boolean =>
  (value !== null && value !== undefined) ||
  isReplaced(node, key) ||
  (node.variables[`${nodeVariable(node.kind, key)}_FILE`] ?? '') !== '';

/** Whether a variable replaces a key of the file. */
const isReplaced = (node: NodeValues, key: string): boolean =>
  (node.variables[nodeVariable(node.kind, key)] ?? '') !== '';

/** What to do about a key that a version refuses. */
function adviceOn(key: string, section: string, fabric: FabricVersion): string {
  const isSame = (name: string): boolean => name.toLowerCase() === key.toLowerCase();
  const names = [...(KNOWN[fabric].get(section) ?? [])];
  const twin = names.find(isSame);
  if (twin !== undefined) return `remove ${key}: the file has ${twin} twice`;
  const other = VERSIONS.find(
    (version) => version !== fabric && [...(KNOWN[version].get(section) ?? [])].some(isSame),
  );
  if (other !== undefined) return `remove ${key}, which only Fabric ${other === '2.5' ? '2' : '3'} has`;
  return `remove or correct ${key}: ${suggestion(key, names)}`;
}
