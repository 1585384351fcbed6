// The steps for orderers. With the same keys, all files are replaced at once. With new keys, TLS handshakes are set back, and the consenters
// are rotated one by one. With BFT and an expired TLS CA, handshakes are set back until the channel has the renewed CA.

import { shellWord } from '../../common/text/shell-word.js';
import {
  certificateFile,
  editCommands,
  fetchCommand,
  FOLDER,
  submitCommand,
  verifyCommand,
  type NewCertificate,
} from './commands.js';
import { addressText } from 'fabric-ops-agent/translator/channel';
import type { StoredChannel } from '../../fabric/stored-channel.js';
import { consenterKeys, isBft } from './network.js';
import type { RescueNode } from './node.js';
import { commands, fileName, replacements, type Action, type Planning, type Renewed } from './planning.js';

/** TLS handshakes are set back to at most this time before the first certificate expires, in milliseconds: the time for the steps. */
const MAX_MARGIN = 86_400_000;

/** Shift of TLS handshakes into the past, so that orderers accept expired TLS certificates. */
interface Shift {
  /** The duration, such as `90000s`. */
  readonly value: string;
  /** The start of the new certificates, so that they are valid then and now; milliseconds since the epoch. */
  readonly from: number;
  /** Whether consenters get new keys, one by one; otherwise handshakes are set back because of the TLS CA. */
  readonly rotates: boolean;
}

/**
 * Whether and how far TLS handshakes must be set back.
 *
 * @returns undefined if no consenter of Raft gets a new key, and no TLS CA of BFT orderers has expired
 * @throws Error if no shift would help
 */
export function shiftOf(planning: Planning): Shift | undefined {
  const { network, keys, now } = planning;
  const tls = network.nodes
    .filter(({ kind }) => kind === 'orderer')
    .flatMap(({ certificates }) => certificates.filter(({ use }) => use === 'TLS'));
  const { channels } = network;
  const rotates =
    keys === 'new' &&
    channels.some((each) => !isBft(each)) &&
    tls.some(({ until }) => planning.isExpired(until));
  const needsNewCa = channels.some(isBft) && tls.some((each) => planning.hasExpiredCa(each));
  if (!rotates && !needsNewCa) return undefined;
  const from = Math.max(...tls.map((each) => Math.max(each.from, each.ca?.from ?? 0)));
  const until = Math.min(...tls.map((each) => Math.min(each.until, each.ca?.until ?? Infinity)));
  if (from >= until)
    throw new Error(
      `the TLS certificates of the orderers and their CAs were never valid at the same time: one ended at ${new Date(until).toISOString()}, another began at ${new Date(from).toISOString()}${needsNewCa ? '' : '; make a plan with --keys same'}`,
    );
  const target = until - Math.min(MAX_MARGIN, (until - from) / 2);
  return { value: `${Math.ceil((now - target) / 1000)}s`, from, rotates };
}

/**
 * BFT orderers with expired signing certificates need a version that accepts renewed ones.
 *
 * @throws Error with new keys: there is no plan
 */
export function addNewVersion(planning: Planning, orderers: readonly Renewed[]): void {
  const channels = planning.network.channels
    .filter(
      (channel) =>
        isBft(channel) &&
        planning
          .consentersOf(channel)
          .some(({ node }) =>
            node.certificates.some((each) => each.use === 'identity' && planning.isExpired(each.until)),
          ),
    )
    .map(({ name }) => name);
  if (channels.length === 0) return;
  if (planning.keys === 'new')
    throw new Error(
      `the orderers of ${channels.join(', ')} use BFT, which identifies them by their signing certificates; these have expired, so the keys must stay the same: make a plan with --keys same`,
    );
  planning.add({
    title: `install Fabric 3.1.2 or newer for ${orderers.map(({ node }) => node.name).join(', ')}`,
    reason: `older BFT orderers (${channels.join(', ')}) compare the whole signing certificate with the one in the channel, and stay followers with a renewed one; without the newer version, set the clocks of their hosts back until each certificate is rotated`,
    actions: [],
    see: { text: 'orderer version prints it', commands: [] },
  });
}

/** Replaces the files of all orderers at once: orderers recognise each other by their keys. */
export function addReplacement(planning: Planning, orderers: readonly Renewed[]): void {
  if (orderers.length === 0) return;
  for (const { node, certificates } of orderers)
    planning.add({
      title: `put the new files in place on ${node.name}`,
      reason: 'orderers do not start, or do not trust each other, with certificates that have expired',
      actions: [
        { kind: 'stop', node: node.name },
        ...replacements(node, certificates),
        ...planning.newTrust(node),
      ],
      see: { text: 'the files are replaced', commands: [] },
    });
  addStart(
    planning,
    orderers.map(({ node }) => node),
  );
}

function addStart(planning: Planning, orderers: readonly RescueNode[], shift?: string): void {
  planning.add({
    title: `start ${orderers.map(({ name }) => name).join(', ')}`,
    reason: 'all of them before the next step: they need each other',
    actions: orderers.map(({ name }): Action => ({ kind: 'start', node: name })),
    see: {
      text: 'each channel has a leader again, so its orderers respond',
      commands: planning.network.channels.flatMap((channel) =>
        planning.consentersOf(channel).map(({ node }) => fetchFrom(planning, channel, node, shift)),
      ),
    },
  });
}

const fetchFrom = (planning: Planning, channel: StoredChannel, node: RescueNode, shift?: string): string =>
  fetchCommand(planning.target(channel, node, shift), planning.administrator(node.mspId));

const orderersOf = ({ network }: Planning): readonly RescueNode[] =>
  network.nodes.filter(({ kind }) => kind === 'orderer');

/** Sets handshakes back, so that orderers work with their old certificates until each is rotated, or with the old TLS CA. */
export function addShift(
  planning: Planning,
  orderers: readonly Renewed[],
  { value: shift, rotates }: Shift,
): void {
  const all = orderersOf(planning);
  for (const node of all) {
    const renewed = orderers.find((each) => each.node === node)?.certificates ?? [];
    const first = renewed.filter(({ old }) => !rotates || old.use === 'identity');
    planning.add({
      title: `set the TLS handshakes of ${node.name} back`,
      reason: rotates
        ? `orderers compare TLS certificates with the time ${shift} ago, at which the old ones were valid`
        : `BFT orderers verify each other only with the TLS CAs in the channel; ${shift} ago the old one was valid`,
      actions: [
        { kind: 'stop', node: node.name },
        shiftAction(node, shift),
        ...replacements(node, first),
        ...planning.newTrust(node),
      ],
      see: { text: 'the files are changed', commands: [] },
    });
  }
  addStart(planning, all, shift);
}

/** Rotates the consenters one by one if necessary, and then ends the shift. */
export function addRotation(
  planning: Planning,
  orderers: readonly Renewed[],
  { value: shift, rotates }: Shift,
): void {
  for (const each of rotates ? orderers : []) addRotated(planning, each, shift);
  for (const node of orderersOf(planning))
    planning.add({
      title: `let ${node.name} use the time of its clock again`,
      reason:
        'all TLS certificates are valid now; one orderer after the other, so that the channels keep working',
      actions: [
        { kind: 'stop', node: node.name },
        shiftAction(node, '0s'),
        { kind: 'start', node: node.name },
      ],
      see: {
        text: 'the orderer responds without --tlsHandshakeTimeShift',
        commands: planning.network.channels
          .filter(({ name }) => node.channels.has(name))
          .map((channel) => fetchFrom(planning, channel, node)),
      },
    });
}

/** Rotates the TLS certificates of one consenter: first in its channels, then on its host. */
function addRotated(planning: Planning, { node, certificates }: Renewed, shift: string): void {
  const tls = certificates.filter(({ old }) => old.use === 'TLS');
  if (tls.length === 0) return;
  const seen = planning.network.channels.flatMap((channel) =>
    addChannelRotation(planning, channel, node, tls, shift),
  );
  planning.add({
    title: `put the new TLS certificate in place on ${node.name}`,
    reason: 'the other orderers expect it from now on',
    actions: [
      { kind: 'stop', node: node.name },
      ...replacements(node, tls),
      { kind: 'start', node: node.name },
    ],
    see: {
      text: 'it receives the block with its own rotation from the others; wait for it before the next consenter',
      commands: seen,
    },
  });
}

/** Rotates a consenter in a channel. @returns the command that succeeds when the orderer itself has the block */
function addChannelRotation(
  planning: Planning,
  channel: StoredChannel,
  node: RescueNode,
  tls: readonly NewCertificate[],
  shift: string,
): readonly string[] {
  const consenter = planning.consenterOf(channel, node);
  const own = node.channels.get(channel.name);
  if (consenter === undefined || own === undefined) return [];
  const keys = consenterKeys(consenter);
  const flags = (
    [
      ['--tls-cert', keys.client],
      ['--server-tls-cert', keys.server],
    ] as const
  ).flatMap(([flag, key]) => {
    const wanted = tls.find(({ old }) => old.keyHash === key);
    return wanted === undefined ? [] : [`${flag} ${shellWord(certificateFile(wanted))}`];
  });
  if (flags.length === 0) return [];
  // The others have the block first: this one is not a consenter until it has its new certificate.
  const via = planning.consentersOf(channel).find((each) => each.node !== node)?.node ?? node;
  const folder = via.channels.get(channel.name) ?? own;
  const update = `${FOLDER}/${fileName(channel.name)}-${fileName(node.name)}.pb`;
  const administrator = planning.administrator(node.mspId);
  const edit = `consenter rotate ${shellWord(folder)} ${shellWord(addressText(consenter))} ${flags.join(' ')}`;
  planning.add({
    title: `rotate the certificate of ${addressText(consenter)} in the channel ${channel.name}`,
    reason: 'Fabric accepts one consenter at a time, and only while the others are a quorum',
    actions: commands(
      ...editCommands(edit, folder, update, administrator),
      submitCommand(update, folder, planning.target(channel, via, shift), administrator),
    ),
    see: { text: `${via.name} has the block`, commands: [verifyCommand(update, folder)] },
  });
  return [verifyCommand(update, own)];
}

function shiftAction({ name, file, hasClusterListener }: RescueNode, value: string): Action {
  const section = hasClusterListener ? 'Cluster' : 'TLS';
  return {
    kind: 'set',
    node: name,
    file,
    key: `General.${section}.TLSHandshakeTimeShift`,
    value,
    variable: `ORDERER_GENERAL_${section.toUpperCase()}_TLSHANDSHAKETIMESHIFT`,
  };
}
