// The channels of a node as a checker reads them, in the form of `/nodes/<name>/channels`. Times are ISO 8601. Unknown members are omitted.

/** A channel in the ledger directory of a node. */
export interface ChannelDocument {
  readonly name: string;
  /** The block height. */
  readonly height?: number | undefined;
  /** Why the newest config cannot be read; `config` is then the config read before, if there is one. */
  readonly problem?: string | undefined;
  readonly config?: ConfigDocument | undefined;
}

/** The newest config of a channel. */
export interface ConfigDocument {
  /** The number of the config block. */
  readonly block: number;
  readonly consensus: string;
  /** By config group. */
  readonly capabilities: Readonly<Record<'channel' | 'orderer' | 'application', readonly string[]>>;
  /** Whether the channel is in maintenance mode. */
  readonly maintenance: boolean;
  readonly consenters: readonly ConsenterDocument[];
  readonly organisations: readonly OrganisationDocument[];
  /** The findings of `configtxlator check`, except findings that depend on the time. */
  readonly findings: readonly FindingDocument[];
  /** The update that made the config; undefined: it cannot be read. */
  readonly last_change?: ChangeDocument | undefined;
}

/** A consenter. */
export interface ConsenterDocument {
  /** `host:port` */
  readonly address: string;
  /** BFT only. */
  readonly id?: number | undefined;
  /** Its MSP id; BFT only. */
  readonly organisation?: string | undefined;
  readonly certificates: readonly CertificateDocument[];
}

/** An organisation with the certificates of its MSP. */
export interface OrganisationDocument {
  readonly mspid: string;
  readonly certificates: readonly CertificateDocument[];
}

/** A certificate. */
export interface CertificateDocument {
  /** The label `use` of `x509_channel_cert_not_after`. */
  readonly use: string;
  readonly subject: string;
  readonly serial: string;
  readonly not_after?: string | undefined;
}

/** A finding. */
export interface FindingDocument {
  readonly id: string;
  readonly severity: string;
  /** The element of the config, such as `/Channel/Orderer/BatchSize`; empty: the channel. */
  readonly path: string;
  readonly text: string;
  /** The recommended action; may be empty. */
  readonly todo: string;
}

/** The changes in a config block, and its signers. */
export interface ChangeDocument {
  readonly block: number;
  readonly time?: string | undefined;
  /** The fingerprint of the update. The genesis block has none. */
  readonly fingerprint?: string | undefined;
  /** For example `Org1MSP CN=Admin@org1.example.com`. */
  readonly signers: readonly string[];
  readonly submitter?: string | undefined;
  readonly changes: readonly string[];
}
