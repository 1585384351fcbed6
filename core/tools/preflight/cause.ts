// Findings about a node before it starts.

/** Startup errors, in the order in which the node checks for them. */
export const CAUSE_IDS = [
  'file-unreadable',
  'wrong-value',
  'msp-id-missing',
  'msp-path-missing',
  'msp-type-idemix',
  'signcerts-missing',
  'cacerts-missing',
  'msp-config-broken',
  'admins-missing',
  'msp-invalid',
  'signcert-invalid',
  'signcert-untrusted',
  'signcert-expired',
  'signcert-role',
  'key-missing',
  'pkcs11-library-missing',
  'statsd-unreachable',
  'statsd-interval',
  'bootstrap-file',
  'genesis-block-missing',
  'consensus-invalid',
  'snapshots-invalid',
  'couchdb-unreachable',
  'no-chaincode-runtime',
  'builder-incomplete',
  'gossip-leader',
  'limit-invalid',
  'tls-file-missing',
  'tls-file-invalid',
  'tls-pair-mismatch',
  'tls-client-ca-empty',
  'address-invalid',
  'address-unusable',
  'port-taken',
  'ledger-unusable',
  'ledger-locked',
  'disk-full',
  'database-broken',
  'data-format',
  'block-file-cut',
  'block-damaged',
  'block-file-tail',
  'wal-unusable',
  'wal-cut',
  'system-channel',
  'channel-too-new',
  'capability-missing',
  'channel-msp',
] as const;

/** Warnings, which never prevent a start. */
export const WARNING_IDS = [
  'running',
  'signcert-not-yet-valid',
  'tls-expired',
  'ledger-unset',
  'pkcs11',
  'builder-missing',
  'override-without-effect',
  'variable-without-effect',
  'state-database-unknown',
  'channel-unreadable',
  'consenter-unknown',
] as const;

/** The ids in the tables of README.md. */
export type CauseId = (typeof CAUSE_IDS)[number] | (typeof WARNING_IDS)[number];

/** A startup error, or a warning for the operator before the start. */
export interface Cause {
  /** Its id in the table of README.md. */
  readonly id: CauseId;
  /** `cause`: the node would not start. `warning`: it would start, but not as intended. */
  readonly severity: 'cause' | 'warning';
  /** A part of the text that the program of the node prints; empty if it prints none. */
  readonly says: string;
  /** The same in plain words. */
  readonly means: string;
  /** The file and line with the key, the variable, or the path. */
  readonly where: string;
  /** What to do. */
  readonly todo: string;
}

/** A cause from a group of rules; the severity is `cause` by default. */
export type Found = Omit<Cause, 'severity'> & Partial<Pick<Cause, 'severity'>>;
