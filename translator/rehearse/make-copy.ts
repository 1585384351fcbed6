// Makes the copy of a channel and of its updates: nodes, users, the first block, and the signed updates.

import { digest } from '../crypto/index.js';
import { NO_BYTES, sameBytes, toLatin1 } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import {
  CommonChannelHeader,
  CommonConfigEnvelope,
  CommonEnvelope,
  CommonMetadata,
  CommonOrdererBlockMetadata,
  CommonPayload,
} from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import {
  type Address,
  addressText,
  applyUpdate,
  type ConfigFile,
  bftQuorum,
  channelOf,
  type Channel,
  type Config,
  type Consenter,
  type Envelope,
  isSigned,
  raftQuorum,
  readConfigFile,
  readEnvelope,
  unsignedEnvelope,
  writeConfig,
} from '../channel/index.js';
import { blockBytes } from '../ledger/index.js';
import { type Certificate, certificateIn, checkSignature, decodePem, readX509Msp } from '../msp/index.js';
import { review, signatureOrderFor } from '../review/index.js';
import { readSigningIdentity, signAsSubmitter, signEnvelope, type SigningIdentity } from '../sign/index.js';
import type { CopiedNode, CopiedPerson, CopiedUpdate, Copy, KeyPair } from './copy.js';
import {
  belongsTo,
  certificateFor,
  isIssuedBy,
  membersOf,
  mspFilesOf,
  tlsPairFor,
  usersOf,
  type Member,
} from './members.js';
import { notCopied } from './pki.js';
import { freePorts } from './ports.js';
import { rewriteChannel, type RewrittenChannel, type RewrittenUpdate } from './rewritten-channel.js';
import { signAgain } from './signatures.js';

/** More orderers are not started, unless a quorum needs them. */
const MAX_ORDERERS = 7;
const MAX_PEERS = 5;

/** An update to copy. */
export interface NamedUpdate {
  readonly name: string;
  readonly update: Envelope;
}

/** What to copy. */
export interface CopyOptions {
  readonly channel: string;
  readonly config: Config;
  /** In their order. */
  readonly updates: readonly NamedUpdate[];
  /** The addresses `host:port` of consenters that are down. */
  readonly down: ReadonlySet<string>;
  readonly now: Date;
}

/** A copy and what the report names. */
export interface MadeCopy {
  readonly copy: Copy;
  /** The numbers of certificates, CAs and addresses that were replaced. */
  readonly replaced: { readonly certificates: number; readonly cas: number; readonly addresses: number };
  /** What is not as in the channel, or not in the copy: sentences without a period. */
  readonly notes: readonly string[];
}

/** @throws TranslateError NOT_REHEARSED with the element that cannot be copied */
export async function makeCopy({ channel, config, updates, down, now }: CopyOptions): Promise<MadeCopy> {
  const before = channelOf(config);
  requireKnown(before, down);
  const rewritten = await rewriteChannel(
    config,
    updates.map(({ update }) => update),
  );
  const { pki, addresses } = rewritten;
  const members = await membersOf(config, rewritten.config);
  const later = await Promise.all(
    rewritten.updates.map(({ originalAfter, after }) => membersOf(originalAfter, after)),
  );
  const all = new Map([...later.toReversed(), members].flatMap((each) => [...each]));
  const { people, notes } = await usersOf([members, ...later], pki, now);
  const maker: Maker = { rewritten, members: all, now, down };
  const orderers = await orderersOf(before, maker);
  const peers = await peersOf(before, maker);
  const nodes = [...orderers.nodes, ...peers.nodes];
  const signers = { people, nodes };
  const copied: CopiedUpdate[] = [];
  for (const [index, { name }] of updates.entries())
    copied.push(await copyUpdate(name, rewritten.updates[index]!, rewritten, { channel, signers }));
  return {
    copy: {
      channel,
      genesis: genesisOf(channel, rewritten.config),
      consensus: before.orderer.isBft ? 'BFT' : 'etcdraft',
      nodes,
      people,
      updates: copied,
    },
    replaced: { ...pki.count, addresses: addresses.count },
    notes: [
      ...orderers.notes,
      ...peers.notes,
      ...notesOf(before, members),
      ...notes,
      ...removalsOf(before, rewritten.updates.at(-1)),
    ],
  };
}

/** @throws TranslateError NOT_REHEARSED for a channel that nodes of a rehearsal do not run */
function requireKnown(channel: Channel, down: ReadonlySet<string>): void {
  const { type } = channel.orderer.consensus;
  if (channel.consortiums !== undefined)
    throw notCopied('/Channel/Consortiums', 'a system channel is not rehearsed');
  if (type !== 'etcdraft' && type !== 'BFT')
    throw notCopied(
      '/Channel/Orderer/ConsensusType',
      `the consensus type ${JSON.stringify(type)} is not rehearsed`,
    );
  const consenters = channel.orderer.consenters.map(addressText);
  if (consenters.length === 0) throw notCopied(channel.orderer.consentersPath, 'it has no consenters');
  for (const address of down)
    if (!consenters.includes(address))
      throw notCopied(
        `--down ${address}`,
        `this is no consenter of the channel; its consenters are ${consenters.join(', ')}`,
      );
}

/** What the nodes of a copy are made of. */
interface Maker {
  readonly rewritten: RewrittenChannel;
  readonly members: ReadonlyMap<string, Member>;
  readonly down: ReadonlySet<string>;
  readonly now: Date;
}

interface Made {
  readonly nodes: readonly CopiedNode[];
  readonly notes: readonly string[];
}

/** The orderers: the consenters of the channel, and those that updates add. */
async function orderersOf(before: Channel, maker: Maker): Promise<Made> {
  const { rewritten, down } = maker;
  const { consenters } = before.orderer;
  const quorum = before.orderer.isBft ? bftQuorum(consenters.length).quorum : raftQuorum(consenters.length);
  const started = Math.max(MAX_ORDERERS, quorum);
  const nodes: { node: CopiedNode; consenter: Consenter }[] = [];
  for (const [index, consenter] of consenters.entries()) {
    const isDown = down.has(addressText(consenter)) || index >= started;
    const node = await ordererOf(consenter, index + 1, before, maker);
    nodes.push({ node: { ...node, isDown }, consenter });
  }
  for (const [index, { originalAfter }] of rewritten.updates.entries()) {
    const after = channelOf(originalAfter);
    for (const consenter of attempt(
      () => after.orderer.consenters,
      () => [],
    )) {
      const at = nodes.findIndex((each) => addressText(each.consenter) === addressText(consenter));
      const known = nodes[at];
      if (known === undefined) {
        const isMoved = nodes.some((each) =>
          sameBytes(each.consenter.clientTlsCert, consenter.clientTlsCert),
        );
        if (!isMoved)
          nodes.push({ node: await ordererOf(consenter, nodes.length + 1, after, maker), consenter });
      } else if (!sameBytes(known.consenter.bytes, consenter.bytes)) {
        const { signing, tls } = await ordererOf(consenter, at + 1, after, maker);
        const own = { signing: consenter.identity === undefined ? known.node.signing : signing, tls };
        const renewals = new Map([...(known.node.renewals ?? []), [index, own] as const]);
        nodes[at] = { node: { ...known.node, renewals }, consenter };
      }
    }
  }
  const notes =
    consenters.length > started
      ? [`${started} of ${consenters.length} orderers run: the others count as down`]
      : [];
  return { nodes: nodes.map(({ node }) => node), notes };
}

async function ordererOf(
  consenter: Consenter,
  number: number,
  channel: Channel,
  { rewritten, members, now }: Maker,
): Promise<CopiedNode> {
  const { pki, addresses } = rewritten;
  const name = `orderer${number}`;
  const place = `${channel.orderer.consentersPath}: consenter ${addressText(consenter)}`;
  const pairOf = (pem: Uint8Array, what: string): KeyPair => {
    const block = decodePem(pem);
    const pair = block && pki.pairOf(block.bytes);
    if (pair === undefined) throw notCopied(place, `its ${what} cannot be read`);
    return pair;
  };
  const member = members.get(consenter.mspId ?? (await organizationOf(consenter, channel)));
  if (member === undefined) throw notCopied(place, 'no organisation with a valid MSP runs it');
  const signing =
    consenter.identity === undefined
      ? (listedFor(member, number, rewritten) ?? (await certificateFor(member, 'orderer', name, pki, now)))
      : pairOf(consenter.identity, 'identity');
  if (signing === undefined)
    throw notCopied(place, `the MSP of ${member.mspId} accepts no certificate of a node`);
  return {
    name,
    kind: 'orderer',
    mspId: member.mspId,
    address: addresses.copyOf({ host: consenter.host, port: consenter.port }),
    original: { host: consenter.host, port: consenter.port },
    msp: mspFilesOf(member.copy),
    signing,
    tls: {
      server: pairOf(consenter.serverTlsCert, 'server TLS certificate'),
      client: pairOf(consenter.clientTlsCert, 'client TLS certificate'),
      roots: tlsRootsOf(members),
    },
    isDown: false,
  };
}

/**
 * The certificate that BlockValidation lists for an orderer of a Raft channel: which one is that of which orderer is not known, so they have
 * them in their order.
 */
function listedFor(
  member: Member,
  number: number,
  { blockSigners, pki }: RewrittenChannel,
): KeyPair | undefined {
  const own = blockSigners.filter((pem) => {
    const certificate = certificateIn(pem);
    return certificate !== undefined && isIssuedBy(member, certificate);
  });
  const block = decodePem(own[number - 1] ?? NO_BYTES);
  return block && pki.pairOf(block.bytes);
}

/** The TLS CAs of all organisations, which all nodes trust. */
const tlsRootsOf = (members: ReadonlyMap<string, Member>): string[] => [
  ...new Set(
    [...members.values()].flatMap(({ copy }) => [...copy.tlsRoots, ...copy.tlsIntermediates].map(toLatin1)),
  ),
];

/** The MSP id of the organisation that runs a Raft consenter: its TLS CA has issued the certificate, and its endpoints are the consenter. */
async function organizationOf(consenter: Consenter, { orderer }: Channel): Promise<string> {
  const certificate = certificateIn(consenter.serverTlsCert, '1.22');
  const issuers: string[] = [];
  for (const organization of orderer.organizations) {
    const { mspId = '' } = organization;
    const isServed = organization.endpoints.includes(addressText(consenter));
    if (certificate !== undefined && (await hasIssued(organization.msp, certificate)))
      if (isServed) return mspId;
      else issuers.push(mspId);
  }
  return issuers[0] ?? orderer.organizations[0]?.mspId ?? '';
}

async function hasIssued(msp: Uint8Array | undefined, certificate: Certificate): Promise<boolean> {
  const config = attempt(
    () => msp && readX509Msp(msp),
    () => undefined,
  );
  for (const pem of [...(config?.tlsIntermediates ?? []), ...(config?.tlsRoots ?? [])]) {
    const ca = certificateIn(pem, '1.22');
    if (ca === undefined || !sameBytes(ca.subject.raw, certificate.issuer.raw)) continue;
    if ((await checkSignature(certificate, ca.publicKey, '1.22')) === undefined) return true;
  }
  return false;
}

/** One peer of each application organisation: of those that the updates change first. */
async function peersOf(before: Channel, maker: Maker): Promise<Made> {
  const { rewritten, members } = maker;
  const changed = new Set(
    rewritten.updates.flatMap(({ original, originalBefore }) =>
      applyUpdate(originalBefore, original.update).changes.map(({ names }) => names.slice(0, 2).join('/')),
    ),
  );
  const { organizations } = before.application;
  const ordered = [
    ...organizations.filter(({ name }) => changed.has(`Application/${name}`)),
    ...organizations.filter(({ name }) => !changed.has(`Application/${name}`)),
  ].filter(({ mspId = '' }) => members.has(mspId));
  const chosen = ordered.slice(0, MAX_PEERS);
  const free = await freePorts(chosen.length, rewritten.addresses.ports);
  const used = new Set<string>();
  const nodes: CopiedNode[] = [];
  const notes: string[] = [];
  for (const [index, organization] of chosen.entries()) {
    const original = organization.anchorPeers.find((each) => !used.has(addressText(each)));
    if (original !== undefined) used.add(addressText(original));
    const member = members.get(organization.mspId ?? '')!;
    const peer = await peerOf(member, index + 1, original, free[index]!, maker);
    if (peer === undefined)
      notes.push(`no peer of ${organization.name} runs: its MSP accepts no certificate of a peer`);
    else nodes.push(peer);
  }
  const left = ordered.slice(MAX_PEERS).map(({ name }) => name);
  if (left.length > 0) notes.push(`no peers of ${left.join(', ')} run`);
  return { nodes, notes };
}

async function peerOf(
  member: Member,
  number: number,
  original: Address | undefined,
  port: number,
  { rewritten: { pki, addresses }, members, now }: Maker,
): Promise<CopiedNode | undefined> {
  const name = `peer${number}`;
  const signing = await certificateFor(member, 'peer', name, pki, now);
  if (signing === undefined) return undefined;
  const tls = await tlsPairFor(member, name, pki, now);
  return {
    name,
    kind: 'peer',
    mspId: member.mspId,
    address: original === undefined ? { host: '127.0.0.1', port } : addresses.copyOf(original),
    original,
    msp: mspFilesOf(member.copy),
    signing,
    tls: { server: tls, client: tls, roots: tlsRootsOf(members) },
    isDown: false,
  };
}

/** What is not tried because of the channel itself. */
const notesOf = ({ organizations }: Channel, members: ReadonlyMap<string, Member>): string[] =>
  organizations
    .filter(({ mspId = '' }) => !members.has(mspId))
    .map(({ name }) => `${name} has no users in the copy: its MSP is not valid, or has no certificates`);

/** Members that are not on the channel after the updates: what they lose is not tried. */
function removalsOf(before: Channel, last: RewrittenUpdate | undefined): string[] {
  if (last === undefined) return [];
  const after = channelOf(last.originalAfter);
  const ids = new Set(after.organizations.map(({ mspId }) => mspId));
  const organizations = new Set(
    before.organizations.flatMap(({ mspId }) => (mspId === undefined || ids.has(mspId) ? [] : [mspId])),
  );
  const consenters = attempt(
    () => after.orderer.consenters.map(addressText),
    (): string[] => [],
  );
  const orderers = before.orderer.consenters.map(addressText).filter((each) => !consenters.includes(each));
  const removed = [...organizations, ...orderers];
  return removed.length === 0
    ? []
    : [`the updates remove ${removed.join(', ')}: what these have or lose afterwards is not tried`];
}

/** Who may sign. */
interface Signers {
  readonly people: readonly CopiedPerson[];
  readonly nodes: readonly CopiedNode[];
}

/** Copies an update: signed by those who signed the original, or, if it is unsigned, by all whose signatures it may need. */
async function copyUpdate(
  name: string,
  rewritten: RewrittenUpdate,
  channelCopy: RewrittenChannel,
  { channel, signers }: { readonly channel: string; readonly signers: Signers },
): Promise<CopiedUpdate> {
  const { original, update } = rewritten;
  const [before, after] = [writeConfig(rewritten.before), writeConfig(rewritten.after)];
  const { organizations } = channelOf(rewritten.before);
  const people = signers.people.filter((each) => belongsTo(each, organizations));
  const identities = await Promise.all(people.filter(({ role }) => role === 'admin').map(identityOf));
  if (isSigned(original)) {
    const again = signAgain(original, update, channelCopy);
    const isSubmitted = (original.submission?.signature.length ?? 0) > 0;
    return { name, before, after, envelope: isSubmitted ? again : await submitted(again, identities) };
  }
  const block = { ...readConfigFile(before), channel };
  const others = [...people.filter(({ role }) => role !== 'admin'), ...signers.nodes.map(nodeAsPerson)];
  const byAdmins = await submitted(await signedByAll(channel, update, identities, block), identities);
  if (!(await lacksSignatures(byAdmins, block))) return { name, before, after, envelope: byAdmins };
  const all = [...identities, ...(await Promise.all(others.map(identityOf)))];
  const envelope = await submitted(await signedByAll(channel, update, all, block), identities);
  return { name, before, after, envelope };
}

const nodeAsPerson = ({ mspId, signing, msp }: CopiedNode): CopiedPerson => ({
  name: mspId,
  mspId,
  role: 'client',
  ca: undefined,
  pair: signing,
  msp,
});

const identityOf = ({ mspId, pair }: CopiedPerson): Promise<SigningIdentity> =>
  readSigningIdentity({
    mspid: mspId,
    certificate: Buffer.from(pair.certificate),
    key: Buffer.from(pair.key),
  });

/** An envelope with the signatures of all, in an order that satisfies the policies, if there is one. */
async function signedByAll(
  channel: string,
  update: Uint8Array,
  signers: readonly SigningIdentity[],
  block: ConfigFile,
): Promise<Uint8Array> {
  let envelope = unsignedEnvelope({ channel, update, signatures: [] });
  for (const signer of signers) envelope = await signEnvelope(envelope, signer);
  const { signatures } = readEnvelope(envelope);
  const ordered = await signatureOrderFor(block)(update, signatures);
  return unsignedEnvelope({ channel, update, signatures: ordered });
}

const lacksSignatures = async (envelope: Uint8Array, block: ConfigFile): Promise<boolean> =>
  (await review(readEnvelope(envelope), block)).findings.some(({ severity }) => severity === 'unsigned');

/** The envelope, submitted by an admin: of an orderer organisation where there is one, because it may submit in maintenance mode too. */
const submitted = async (envelope: Uint8Array, admins: readonly SigningIdentity[]): Promise<Uint8Array> =>
  admins[0] === undefined ? envelope : signAsSubmitter(envelope, admins[0]);

const CONFIG = 1;
const SIGNATURES = 0;
const METADATA_COUNT = 5;

/** The first block of a channel (Fabric's common/genesis/genesis.go, `Block`). */
function genesisOf(channel: string, config: Config): Uint8Array {
  const channelHeader = writeMessage(CommonChannelHeader, { type: CONFIG, version: 1, channelId: channel });
  const payload = writeMessage(CommonPayload, {
    header: { channelHeader, signatureHeader: NO_BYTES },
    data: writeMessage(CommonConfigEnvelope, { config: writeConfig(config) }),
  });
  const data = [writeMessage(CommonEnvelope, { payload })];
  const lastConfig = { index: 0n };
  const value = writeMessage(CommonOrdererBlockMetadata, { lastConfig });
  const metadata = Array.from({ length: METADATA_COUNT }, (_, index) =>
    index === SIGNATURES ? writeMessage(CommonMetadata, { value }) : NO_BYTES,
  );
  return blockBytes({
    number: 0n,
    previousHash: NO_BYTES,
    dataHash: digest('SHA-256', data),
    data,
    metadata,
  });
}
