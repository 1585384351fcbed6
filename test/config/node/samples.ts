// Configuration files of nodes, shortened to the shape of each version of Fabric.

/** A peer's core.yaml by version. */
export const CORE_YAML: Readonly<Record<string, string>> = {
  '1.4': `
peer:
    id: jdoe
    networkId: dev
    listenAddress: 0.0.0.0:7051
    chaincodeListenAddress: 0.0.0.0:7052
    tls:
        enabled:  false
        clientAuthRequired: false
        cert:
            file: tls/server.crt
        key:
            file: tls/server.key
        rootcert:
            file: tls/ca.crt
        clientRootCAs:
            files:
              - tls/ca.crt
        clientKey:
            file:
        clientCert:
            file:
    events:
        address: 0.0.0.0:7053
vm:
    endpoint: unix:///var/run/docker.sock
chaincode:
    logging:
        level:  info
ledger:
    blockchain:
operations:
    listenAddress: 127.0.0.1:9443
    tls:
        enabled: false
        cert:
            file:
        key:
            file:
        clientAuthRequired: false
        clientRootCAs:
            files: []
metrics:
    provider: prometheus
    statsd:
        network: udp
        address: 127.0.0.1:8125
        writeInterval: 10s
        prefix:
`,
  '2.5': `
peer:
  id: jdoe
  gateway: {enabled: true}
  tls:
    enabled: false
    cert: {file: tls/server.crt}
    key: {file: tls/server.key}
    rootcert: {file: tls/ca.crt}
    clientRootCAs: {files: [tls/ca.crt]}
vm: {endpoint: unix:///var/run/docker.sock}
ledger: {snapshots: {rootDir: /var/hyperledger/production/snapshots}}
operations:
  listenAddress: 127.0.0.1:9443
  tls: {enabled: false, cert: {file: }, key: {file: }, clientAuthRequired: false, clientRootCAs: {files: []}}
metrics: {provider: prometheus, statsd: {network: udp, address: '127.0.0.1:8125', writeInterval: 10s, prefix: }}
`,
  '3.x': `
peer:
  id: jdoe
  deliveryclient: {policy: simple}
  tls: {enabled: false, cert: {file: tls/server.crt}, key: {file: tls/server.key}, rootcert: {file: tls/ca.crt}}
operations: {listenAddress: '127.0.0.1:9443', tls: {enabled: false, clientRootCAs: {files: []}}, new: true}
metrics: {provider: prometheus}
`,
};

/** An orderer's orderer.yaml by version. */
export const ORDERER_YAML: Readonly<Record<string, string>> = {
  '1.4': `
---
General:
    LedgerType: file
    ListenAddress: 127.0.0.1
    ListenPort: 7050
    TLS:
        Enabled: false
        PrivateKey: tls/server.key
        Certificate: tls/server.crt
        RootCAs:
          - tls/ca.crt
        ClientAuthRequired: false
        ClientRootCAs:
    GenesisMethod: provisional
    SystemChannel: test-system-channel-name
FileLedger:
    Location: /var/hyperledger/production/orderer
RAMLedger:
    HistorySize: 1000
Kafka:
    Verbose: false
Operations:
    ListenAddress: 127.0.0.1:8443
    TLS:
        Enabled: false
        Certificate:
        PrivateKey:
        ClientAuthRequired: false
        RootCAs: []
Metrics:
    Provider: prometheus
    Statsd:
      Network: udp
`,
  '2.5': `
General:
  ListenAddress: 127.0.0.1
  TLS: {Enabled: false, PrivateKey: tls/server.key, Certificate: tls/server.crt, RootCAs: [tls/ca.crt]}
  Cluster: {ClientCertificate: , ClientPrivateKey: }
  BootstrapMethod: file
FileLedger: {Location: /var/hyperledger/production/orderer}
Operations: {ListenAddress: '127.0.0.1:8443', TLS: {Enabled: false, ClientRootCAs: []}}
Metrics: {Provider: prometheus}
Admin: {ListenAddress: '127.0.0.1:9443'}
ChannelParticipation: {Enabled: true}
`,
  '3.x': `
General:
  TLS: {Enabled: false, PrivateKey: tls/server.key, Certificate: tls/server.crt, RootCAs: [tls/ca.crt]}
  Throttling: {Rate: 0}
  Cluster: {ReplicationPolicy: simple}
Operations: {ListenAddress: '127.0.0.1:8443', TLS: {Enabled: false, New: 1}}
Metrics: {Provider: prometheus}
Consensus: {WALDir: /var/hyperledger/production/orderer/etcdraft/wal}
`,
};
