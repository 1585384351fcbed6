// Summarises a config update: its header, changes and signatures.

import { is, requireTypes } from '../../proto/arguments.js';
import { naturally } from '../../core/common/text/naturally.js';
import { attempt } from '../../proto/errors.js';
import { readMessage } from '../../proto/typed.js';
import { CommonChannelHeader, CommonPayload, CommonSignatureHeader } from '../../proto/messages.js';
import {
  changesOf,
  lostMembers,
  type ElementKind,
  type Placed,
  groupAt,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigUpdate,
  type Envelope,
  resultTypes,
} from '../channel/index.js';
import { readSerializedIdentity } from '../msp/index.js';
import { summariseCertificate, type CertificateSummary } from './certificate.js';
import { listText } from './lists.js';
import { policyText, valueText } from './values.js';

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

/** A signer. */
export interface SignerSummary {
  /** Absent if the identity cannot be read. */
  readonly mspid?: string;
  readonly certificate: CertificateSummary;
}

/** A config update. 64-bit numbers are decimal texts. The fields are stable: new ones may be added. */
export interface UpdateSummary {
  readonly kind: 'update';
  /** The message in the file: `envelope`, `config update envelope` or `config update`. */
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
  /** The signatures on the update, in their order. They are not verified. */
  readonly signatures: readonly SignerSummary[];
  /** The signer of the envelope; absent without one. */
  readonly submitter?: SignerSummary;
}

/** The latest time that a Date can have, in seconds. */
const MAX_SECONDS = 8_640_000_000_000;

/** Summarises a config update. @throws TranslateError BAD_BYTES if a header cannot be read */
export function summariseUpdate(file: Envelope, now = new Date()): UpdateSummary {
  requireTypes({ file, now }, { file: resultTypes.envelope, now: is.date });
  const { form, update } = file;
  const { header, ...signers } = summariseSigners(file);
  return {
    kind: 'update',
    form,
    channel: update.channelId,
    ...(header !== undefined && { header }),
    changes: listChanges(update, now),
    ...signers,
  };
}

/** Summarises the header and the signers of a config update, without the changes. @throws TranslateError BAD_BYTES as `summariseUpdate` */
export function summariseSigners({
  signatures,
  submission,
}: Envelope): Pick<UpdateSummary, 'header' | 'signatures' | 'submitter'> {
  const submitter = submission === undefined ? undefined : signerOf(submission.header);
  return {
    ...(submission !== undefined && { header: headerOf(submission.payload) }),
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
  return attempt(
    () => {
      const { mspid, certificate } = readSerializedIdentity(creator);
      return { mspid, certificate: summariseCertificate(certificate) };
    },
    ({ message }) => ({ certificate: { error: message } }),
  );
}

/** The elements that the update sets, and the members that changed groups lose. */
function listChanges({ readSet, writeSet }: ConfigUpdate, now: Date): ChangeSummary[] {
  return changesOf({ readSet, writeSet }, undefined).flatMap((change) => {
    const { path, kind, element, read } = change;
    const { version, modPolicy } = element;
    // A new element has version 0; a changed element may be missing in the read set.
    const isNew = read === undefined && version === 0n;
    const summary: ChangeSummary = {
      path,
      kind,
      change: isNew ? 'added' : 'changed',
      version: String(version),
      modPolicy,
      text: contentText(change, writeSet!, now),
    };
    return kind === 'group' && read !== undefined
      ? [summary, ...removedFrom(change, read as ConfigGroup, element as ConfigGroup)]
      : [summary];
  });
}

function contentText({ kind, names: place, element }: Placed, writeSet: ConfigGroup, now: Date): string {
  if (kind === 'policy') return policyText((element as ConfigPolicy).policy);
  if (kind === 'value') return valueText(place, groupAt(writeSet, place.slice(0, -1))!, now);
  const { groups, values, policies } = element as ConfigGroup;
  const names = [...groups.keys(), ...values.keys(), ...policies.keys()].toSorted(naturally);
  return `members ${listText(names)}`;
}

function removedFrom(group: Placed, read: ConfigGroup, write: ConfigGroup): ChangeSummary[] {
  const lost = lostMembers(group, read, write);
  return (['group', 'value', 'policy'] as const).flatMap((kind) =>
    lost
      .filter((each) => each.kind === kind)
      .map((each) => ({ path: each.path, kind, change: 'removed' as const, text: '' })),
  );
}
