// A channel as the page shows it: ordering, organisations, rules and certificates. Works without a browser.

import { attempt } from '#proto/errors.js';
import {
  addressText,
  channelOf,
  type ConfigFile,
  type Consenter,
  type OrdererGroup,
} from '#translator/channel/index.js';
import {
  channelDocument,
  mspNames,
  quorumOf,
  summariseChannel,
  type Document,
  type OrganizationNames,
  type Quorum,
  type Row,
  type Section,
} from '#translator/documents/index.js';
import { certificatesInChannel, expiryDocument, expiryReport } from '#translator/expiry/index.js';
import { decodePem, DNS, readCertificate } from '#translator/msp/index.js';
import { naturally } from '../../core/common/text/naturally.js';

/** Certificates that end within this time are listed, in seconds. */
const SOON = 365 * 24 * 3600;

/** The parts of a channel that are known at once, also with hundreds of organisations. */
export interface Outline {
  readonly ordering: Ordering | undefined;
  readonly capabilities: Readonly<Record<'channel' | 'ordering' | 'application', readonly string[]>>;
  /** The number of organisations. */
  readonly count: number;
  /** Sorted by name, when they are first read: hundreds of names take long. */
  readonly organizations: readonly OutlinedOrganization[];
}

/** An outline, or the reason that the channel cannot be read. */
export type OutlineResult = { readonly outline: Outline } | { readonly error: string };

/** The ordering service. */
export interface Ordering {
  /** `etcdraft` or `BFT` */
  readonly type: string;
  readonly isInMaintenance: boolean;
  readonly consenters: readonly { readonly name: string; readonly address: string }[];
  /** Undefined without consenters. */
  readonly quorum: Quorum | undefined;
  readonly maxMessageCount: number;
  /** In bytes. */
  readonly absoluteMaxBytes: number;
  readonly batchTimeout: string;
}

/** An organisation. */
export interface OutlinedOrganization {
  readonly section: string;
  readonly name: string;
}

/** The outline of a channel, with the organisations in the order of their names. @throws TranslateError BAD_BYTES for a value that cannot be read */
export function outlineOf({ config }: ConfigFile): Outline {
  const { orderer, application, capabilities, organizations } = channelOf(config);
  let sorted: readonly OutlinedOrganization[] | undefined;
  return {
    ordering: orderer.group === undefined ? undefined : orderingOf(orderer),
    capabilities: {
      channel: [...capabilities].toSorted(naturally),
      ordering: [...orderer.capabilities].toSorted(naturally),
      application: [...application.capabilities].toSorted(naturally),
    },
    count: organizations.length,
    get organizations() {
      return (sorted ??= organizations
        .map(({ section, name }) => ({ section, name }))
        .toSorted((one, other) => naturally(one.name, other.name)));
    },
  };
}

/** The names of the organisations by their MSP ids, in the order of the config. */
export const organizationsOf = ({ config }: ConfigFile): OrganizationNames =>
  mspNames(channelOf(config).organizations);

function orderingOf(orderer: OrdererGroup): Ordering {
  const { consensus, isInMaintenance, batchSize, batchTimeout } = orderer;
  const addresses = orderer.consenters.map(addressText);
  const names = consenterNames(addresses, () => orderer.consenters.map(certifiedHost));
  return {
    type: consensus.type,
    isInMaintenance,
    consenters: addresses.map((address, index) => ({ name: names[index]!, address })),
    quorum: addresses.length === 0 ? undefined : quorumOf(consensus.type, addresses.length),
    maxMessageCount: batchSize.maxMessageCount,
    absoluteMaxBytes: batchSize.absoluteMaxBytes,
    batchTimeout,
  };
}

/** The details of a channel, which take long with hundreds of organisations. */
export interface Picture {
  /** The rows of the organisations in words, by `Application/Org1`. */
  readonly organizations: ReadonlyMap<string, Row>;
  /** The consenters with their certificates. */
  readonly ordering: Section | undefined;
  /** The reason that there are no details. */
  readonly error: string | undefined;
  readonly certificates: Certificates;
}

/** The ends of the certificates of a channel. */
export interface Certificates {
  readonly count: number;
  /** The day of the first end, such as `2036-11-22`; undefined without certificates. */
  readonly first: string | undefined;
  /** How many are expired, end within a year, or cannot be read. */
  readonly urgent: number;
  readonly document: Document;
}

/** The details of a channel. @param now decides which certificates end soon */
export async function pictureOf(base: ConfigFile, now: Date): Promise<Picture> {
  const certificates = await certificatesIn(base, now);
  return attempt(
    async (): Promise<Picture> => {
      const summary = await summariseChannel(base);
      const { sections = [] } = channelDocument(summary, now);
      const [block] = sections.find(({ id }) => id === 'organisations')?.blocks ?? [];
      const rows = block?.kind === 'rows' ? block.rows : [];
      return {
        organizations: new Map(
          summary.organizations.map(({ section, name }, index) => [`${section}/${name}`, rows[index]!]),
        ),
        ordering: sections.find(({ id }) => id === 'orderer'),
        error: undefined,
        certificates,
      };
    },
    ({ message }) => ({ organizations: new Map(), ordering: undefined, error: message, certificates }),
  );
}

async function certificatesIn(base: ConfigFile, now: Date): Promise<Certificates> {
  const report = await attempt(
    async () =>
      expiryReport(await certificatesInChannel(base, base.channel ?? 'this config'), { now, within: SOON }),
    // A channel that cannot be read has no list of certificates; the picture has the reason.
    () => expiryReport([], { now, within: SOON }),
  );
  const { entries, unreadable } = report;
  const [first] = entries.map(({ until }) => until).toSorted();
  return {
    count: entries.length,
    first: first?.slice(0, 10),
    urgent: unreadable.length + entries.filter(({ state }) => state !== 'later').length,
    document: expiryDocument(report),
  };
}

/** The words of the errors of a channel with a value that cannot be read. */
export const unreadableText = (error: string): string => `cannot be read: ${error}`;

/** The host in the TLS certificate of a consenter: its first DNS name, else its common name; empty if it cannot be read. */
const certifiedHost = ({ serverTlsCert }: Consenter): string =>
  attempt(
    () => {
      const { extensions, subject } = readCertificate(decodePem(serverTlsCert)!.bytes);
      const dns = extensions.alternativeNames?.names.find(({ tag }) => tag === DNS);
      return dns === undefined ? subject.commonName : new TextDecoder().decode(dns.content);
    },
    () => '',
  );

/**
 * The short names of consenters: the first part of the host, `orderer1`, or more if these are equal.
 *
 * @param certified the hosts in their certificates, which name consenters at one host
 */
export function consenterNames(
  addresses: readonly string[],
  certified: () => readonly string[] = () => [],
): readonly string[] {
  const hosts = addresses.map((address) => address.replace(/:\d+$/, ''));
  const short = hosts.map((host) => (/^[\d.]+$|:/.test(host) ? host : host.split('.')[0]!));
  const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;
  if (isUnique(short)) return short;
  if (isUnique(hosts)) return hosts;
  const inCertificates = certified();
  const isNamed = inCertificates.length > 0 && inCertificates.every((host) => host !== '');
  return isNamed && isUnique(inCertificates) ? consenterNames(inCertificates) : addresses;
}
