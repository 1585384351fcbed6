// Converts the consenters of a Raft channel to BFT consenters: each needs the signing certificate of its orderer.

import { is, requireTypes } from '../../proto/arguments.js';
import { sameBytes } from '../../proto/bytes.js';
import { addressText, type Config, channelOf, type Organization, type Consenter } from '../channel/index.js';
import { decodePem } from '../../core/common/certificates/pem.js';
import { dayText } from '../documents/index.js';
import { nameText, readX509Msp, type Identity, type MspManager, certificateIn } from '../msp/index.js';
import { CommonConsenter } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import { ChannelState } from '../state/index.js';
import { badEdit } from '../edit/index.js';

/** The signing certificate of a consenter's orderer. */
export interface ConsenterIdentity {
  /** The address `host:port` of the consenter, or its position in the list of consenters, from 1. */
  readonly consenter: string;
  /** PEM */
  readonly certificate: Uint8Array;
}

/** The minimum number of consenters with which BFT tolerates a faulty orderer. */
const MIN_CONSENTERS = 4;

/** A Raft consenter with its name and its new certificate. */
interface Named {
  readonly name: string;
  readonly consenter: Consenter;
  readonly identity: Uint8Array;
}

/** The serialized BFT consenters, in the order of the Raft consenters. @throws TranslateError BAD_EDIT */
export async function bftConsentersOf(
  config: Config,
  identities: readonly ConsenterIdentity[],
  now: Date,
): Promise<Uint8Array[]> {
  const type = is.list(is.record({ consenter: is.text, certificate: is.bytes }));
  requireTypes({ identities }, { identities: type }, 'BAD_EDIT');
  const { orderer } = channelOf(config);
  const named = withIdentities(orderer.consenters, identities);
  const { manager } = await new ChannelState(config).msps;
  const result: Uint8Array[] = [];
  for (const [index, { name, consenter, identity }] of named.entries()) {
    checkNotSwapped(named, index);
    const mspId = await mspIdOf({ name, identity }, orderer.organizations, manager, now);
    result.push(writeMessage(CommonConsenter, { ...consenter, id: index + 1, mspId, identity }));
  }
  return result;
}

function withIdentities(
  consenters: readonly Consenter[],
  identities: readonly ConsenterIdentity[],
): readonly Named[] {
  const names = consenters.map(addressText);
  if (names.length < MIN_CONSENTERS)
    throw badEdit(
      `the channel has ${names.length} consenters, BFT needs ${MIN_CONSENTERS}: add them first, with configtxlator consenter add`,
    );
  const found = new Map<string, Uint8Array>();
  for (const { consenter, certificate } of identities) {
    const name = names.includes(consenter) ? consenter : names[Number(consenter) - 1];
    if (name === undefined)
      throw badEdit(`${JSON.stringify(consenter)} is no consenter; the channel has ${names.join(', ')}`);
    if (found.has(name)) throw badEdit(`the consenter ${name} has two identities`);
    const same = [...found].find(([, other]) => sameBytes(other, certificate));
    if (same !== undefined) throw badEdit(`${same[0]} and ${name} have the same identity`);
    found.set(name, certificate);
  }
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw badEdit(`no identity is given for ${missing.join(', ')}`);
  return names.map((name, index) => ({
    name,
    consenter: consenters[index]!,
    identity: found.get(name)!,
  }));
}

/** @throws TranslateError BAD_EDIT if the certificate has the name of another consenter's TLS certificate */
function checkNotSwapped(all: readonly Named[], index: number): void {
  const { name, consenter, identity } = all[index]!;
  const subject = commonNameIn(identity);
  if (subject === undefined || subject === commonNameIn(consenter.serverTlsCert)) return;
  const owner = all.find((other) => commonNameIn(other.consenter.serverTlsCert) === subject);
  if (owner !== undefined)
    throw badEdit(`the identity of ${name} belongs to ${owner.name}: both are named ${subject}`);
}

function commonNameIn(pem: Uint8Array): string | undefined {
  const certificate = certificateIn(pem);
  if (certificate === undefined) return undefined;
  return /(?:^|,)CN=([^,]+)/.exec(nameText(certificate.subject))?.[1];
}

/** The MSP id of the orderer organisation of a certificate. @throws TranslateError BAD_EDIT */
async function mspIdOf(
  { name, identity: pem }: Pick<Named, 'name' | 'identity'>,
  organizations: readonly Organization[],
  { msps }: MspManager,
  now: Date,
): Promise<string> {
  if (decodePem(pem)?.label !== 'CERTIFICATE')
    throw badEdit(`the identity of ${name} is not a certificate in PEM`);
  const reasons: string[] = [];
  for (const { mspId = '', msp } of organizations) {
    const identity = await identityIn(mspId, msps, pem);
    if (typeof identity === 'string') {
      reasons.push(`${mspId}: ${identity}`);
      continue;
    }
    const { notAfter, subject } = identity.certificate;
    if (notAfter < now)
      throw badEdit(`the identity of ${name}, ${nameText(subject)}, expired on ${dayText(notAfter)}`);
    const nodeOus = msp === undefined ? undefined : readX509Msp(msp)?.nodeOus;
    const isRoleKnown = nodeOus?.isEnabled === true && nodeOus.roles.has('orderer');
    if (isRoleKnown && !identity.satisfies({ kind: 'role', mspid: mspId, role: 'orderer' }))
      throw badEdit(
        `the identity of ${name}, ${nameText(subject)}, does not have the role orderer of ${mspId}`,
      );
    return mspId;
  }
  throw badEdit(`the identity of ${name} belongs to no orderer organisation (${reasons.join('; ')})`);
}

/** The identity in an MSP, or the reason if it is not valid. */
async function identityIn(
  mspId: string,
  msps: MspManager['msps'],
  pem: Uint8Array,
): Promise<Identity | string> {
  const msp = msps.get(mspId);
  if (msp === undefined) return 'it has no MSP';
  const { identity, fault } = await msp.judge(pem);
  return fault?.text ?? identity!;
}
