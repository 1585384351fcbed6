// Variables that have no effect, because the file of the node does not have their section.

import type { FabricVersion } from 'fabric-ops-agent/translator/channel';
import { ineffectiveVariables, type NodeValues } from '../../../config/index.js';
import { finding, type Finding } from './cause.js';

const CRYPTO = ['Default', 'SW.Hash', 'SW.Security', 'PKCS11.Library', 'PKCS11.Label', 'PKCS11.Pin'];
const CONSENSUS = ['WALDir', 'SnapDir', 'EvictionSuspicion', 'TickIntervalOverride'];

const TLS = 'Enabled PrivateKey Certificate RootCAs ClientAuthRequired ClientRootCAs TLSHandshakeTimeShift';
const CLUSTER =
  'ListenAddress ListenPort ServerCertificate ServerPrivateKey ClientCertificate ClientPrivateKey RootCAs DialTimeout RPCTimeout ReplicationBufferSize ReplicationPullTimeout ReplicationRetryTimeout ReplicationMaxRetries SendBufferSize CertExpirationWarningThreshold TLSHandshakeTimeShift';

/** The keys of an orderer by section (Fabric: orderer/common/localconfig/config.go). */
const ORDERER: Readonly<Record<string, string>> = {
  General:
    'ListenAddress ListenPort ConnectionTimeout GenesisMethod GenesisFile BootstrapMethod BootstrapFile LocalMSPDir LocalMSPID MaxRecvMsgSize MaxSendMsgSize',
  'General.TLS': TLS,
  'General.Keepalive': 'ServerMinInterval ServerInterval ServerTimeout',
  'General.Cluster': CLUSTER,
  'General.Profile': 'Enabled Address',
  'General.Authentication': 'TimeWindow NoExpirationChecks',
  FileLedger: 'Location Prefix',
  Debug: 'BroadcastTraceDir DeliverTraceDir',
  Operations: 'ListenAddress',
  'Operations.TLS': TLS,
  Metrics: 'Provider',
  'Metrics.Statsd': 'Network Address WriteInterval Prefix',
  ChannelParticipation: 'Enabled MaxRequestBodySize',
  Admin: 'ListenAddress',
  'Admin.TLS': TLS,
};

/** The keys that only one of the versions has. */
const OF_VERSION: Readonly<Record<FabricVersion, Readonly<Record<string, string>>>> = {
  '2.5': { 'General.Cluster': 'ReplicationBackgroundRefreshInterval' },
  '3.0': {
    'General.Cluster': 'ReplicationPolicy',
    'General.Backoff': 'BaseDelay Multiplier MaxDelay',
    'General.Throttling': 'Rate InactivityTimeout',
  },
};

const keysOf = (sections: Readonly<Record<string, string>>): string[] =>
  Object.entries(sections).flatMap(([section, names]) =>
    names.split(' ').map((name) => `${section}.${name}`),
  );

/** A warning for each section that variables name and the file does not have. */
export function unusedVariables(node: NodeValues, fabric: FabricVersion): Finding[] {
  const keys =
    node.kind === 'peer'
      ? CRYPTO.map((key) => `peer.BCCSP.${key}`)
      : [
          ...keysOf(ORDERER),
          ...keysOf(OF_VERSION[fabric]),
          ...CRYPTO.map((key) => `General.BCCSP.${key}`),
          ...CONSENSUS.map((key) => `Consensus.${key}`),
        ];
  const { kind, file } = node;
  return ineffectiveVariables(node, keys).map(({ section, names }) =>
    finding('variable-without-effect', `variable ${names[0]}`, { kind, names, section, file: file.name }),
  );
}
