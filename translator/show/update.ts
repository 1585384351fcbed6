// Summarises a config update: its header, what it changes, and its signatures.

import { readMessage } from '../../proto/typed.js';
import { CommonChannelHeader, CommonPayload, CommonSignatureHeader } from '../../proto/messages.js';
import type { ElementKind } from '../config/apply.js';
import { ordered } from '../config/ordered.js';
import type { ConfigGroup, ConfigPolicy, ConfigValue } from '../config/element.js';
import type { UpdateFile } from '../config/file.js';
import { TranslateError } from '../../proto/errors.js';
import { readSerializedIdentity } from '../msp/serialized-identity.js';
import { summariseCertificate, type CertificateSummary } from '../describe/certificate.js';
import { listText } from '../describe/list.js';
import { policyText, valueText } from '../describe/values.js';

/** An element that an update sets or removes. */
export interface ChangeSummary {
  /** `/Channel/Orderer/BatchSize` */
  readonly path: string;
  readonly kind: ElementKind;
  /** `removed`: the read set names the element, the write set does not, and its group is changed. */
  readonly change: 'added' | 'changed' | 'removed';
  /** The version that the update sets, as a decimal number; absent if it is removed. */
  readonly version?: string;
  /** Absent if it is removed. */
  readonly modPolicy?: string;
  /** The new content in words, of a group its members; empty if it is removed. */
  readonly text: string;
}

/** Who signed. */
export interface SignerSummary {
  /** Absent if the identity cannot be read. */
  readonly mspid?: string;
  readonly certificate: CertificateSummary;
}

/** A config update. 64-bit numbers are decimal texts. The fields are stable: new ones may be added. */
export interface UpdateSummary {
  readonly kind: 'update';
  /** What the file is: `envelope`, `config update envelope` or `config update`. */
  readonly form: string;
  /** The channel in the update. */
  readonly channel: string;
  /** The header of the envelope; absent without an envelope. */
  readonly header?: {
    readonly channel: string;
    /** ISO 8601; absent if the header has no time. */
    readonly time?: string;
    /** Absent if there is none. */
    readonly txId?: string;
  };
  readonly changes: readonly ChangeSummary[];
  /** Signatures on the update, in their order. Whether they are valid is not checked here. */
  readonly signatures: readonly SignerSummary[];
  /** Who signed the envelope; absent if nobody did. */
  readonly submitter?: SignerSummary;
}

/** The latest time that a Date can have, in seconds. */
const MAX_SECONDS = 8_640_000_000_000;

/** Summarises a config update. @throws TranslateError BAD_BYTES if a header cannot be read */
export function summariseUpdate(file: UpdateFile, now: Date): UpdateSummary {
  const { form, update, signatures, envelope } = file;
  const submitter = envelope === undefined ? undefined : signerOf(envelope.header);
  return {
    kind: 'update',
    form,
    channel: update.channelId,
    ...(envelope !== undefined && { header: headerOf(envelope.payload) }),
    changes: listChanges(update.readSet, update.writeSet, now),
    signatures: signatures.map(
      ({ header }) => signerOf(header) ?? { certificate: summariseCertificate(header) },
    ),
    ...(submitter !== undefined && { submitter }),
  };
}

/** The header of an envelope, from its serialized `common.Payload`. @throws TranslateError BAD_BYTES */
export function headerOf(payload: Uint8Array): NonNullable<UpdateSummary['header']> {
  const channelHeader = readMessage(CommonPayload, payload).header?.channelHeader;
  const header = channelHeader && readMessage(CommonChannelHeader, channelHeader);
  const seconds = Number(header?.timestamp?.seconds ?? 0n);
  const hasTime = header?.timestamp !== undefined && Math.abs(seconds) < MAX_SECONDS;
  return {
    channel: header?.channelId ?? '',
    ...(hasTime && { time: new Date(seconds * 1000).toISOString() }),
    ...(header !== undefined && header.txId !== '' && { txId: header.txId }),
  };
}

/** The identity in a `common.SignatureHeader`; undefined if it has none. */
function signerOf(header: Uint8Array): SignerSummary | undefined {
  const { creator } = readMessage(CommonSignatureHeader, header);
  if (creator.length === 0) return undefined;
  try {
    const { mspid, certificate } = readSerializedIdentity(creator);
    return { mspid, certificate: summariseCertificate(certificate) };
  } catch (error) {
    if (error instanceof TranslateError) return { certificate: { error: error.message } };
    throw error;
  }
}

/** Elements of the write set that the read set lacks or has at another version, and what disappears from changed groups. */
function listChanges(
  readSet: ConfigGroup | undefined,
  writeSet: ConfigGroup | undefined,
  now: Date,
): ChangeSummary[] {
  const changes: ChangeSummary[] = [];
  if (writeSet !== undefined) visit(changes, ['Channel'], readSet, writeSet, now);
  return changes;
}

type Element = ConfigGroup | ConfigValue | ConfigPolicy;

function visit(
  changes: ChangeSummary[],
  names: readonly string[],
  read: ConfigGroup | undefined,
  write: ConfigGroup,
  now: Date,
): void {
  const path = `/${names.join('/')}`;
  const isChanged = read?.version !== write.version;
  if (isChanged) changes.push(changed(path, 'group', read, write, membersText(write)));
  if (isChanged && read !== undefined) changes.push(...removedFrom(path, read, write));
  for (const [name, value] of ordered(write.values)) {
    const before = read?.values.get(name);
    if (before?.version !== value.version) {
      const words = valueText([...names.slice(1), name], write, now);
      changes.push(changed(`${path}/${name}`, 'value', before, value, words));
    }
  }
  for (const [name, policy] of ordered(write.policies)) {
    const before = read?.policies.get(name);
    if (before?.version !== policy.version)
      changes.push(changed(`${path}/${name}`, 'policy', before, policy, policyText(policy.policy)));
  }
  for (const [name, group] of ordered(write.groups))
    visit(changes, [...names, name], read?.groups.get(name), group, now);
}

/** Version 0 is that of a new element; the read set may lack one that is changed. */
function changed(
  path: string,
  kind: ElementKind,
  before: Element | undefined,
  { version, modPolicy }: Element,
  words: string,
): ChangeSummary {
  const change = before === undefined && version === 0n ? 'added' : 'changed';
  return { path, kind, change, version: String(version), modPolicy, text: words };
}

function membersText({ groups, values, policies }: ConfigGroup): string {
  const names = [...groups.keys(), ...values.keys(), ...policies.keys()].toSorted();
  return `members ${listText(names)}`;
}

function removedFrom(path: string, read: ConfigGroup, write: ConfigGroup): ChangeSummary[] {
  const kinds: readonly (readonly [
    ElementKind,
    ReadonlyMap<string, Element>,
    ReadonlyMap<string, Element>,
  ])[] = [
    ['group', read.groups, write.groups],
    ['value', read.values, write.values],
    ['policy', read.policies, write.policies],
  ];
  return kinds.flatMap(([kind, before, after]) =>
    [...ordered(before)]
      .filter(([name]) => !after.has(name))
      .map(([name]) => ({ path: `${path}/${name}`, kind, change: 'removed' as const, text: '' })),
  );
}
