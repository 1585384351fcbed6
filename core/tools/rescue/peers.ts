// The steps after the start of the orderers: channels get the renewed TLS CAs of organisations, and peers their new certificates.

import { shellWord } from '../../common/text/shell-word.js';
import { editCommands, FOLDER, submitCommand, valueOf, verifyCommand } from './commands.js';
import type { Organization } from 'fabric-ops-agent/translator/channel';
import type { StoredChannel } from '../../fabric/stored-channel.js';
import type { RescueNode } from './node.js';
import {
  commands,
  fileName,
  newCaFile,
  replacements,
  type Action,
  type Planning,
  type Renewed,
} from './planning.js';

/** An update of a channel that peers must receive. */
interface ChannelUpdate {
  readonly channel: string;
  readonly update: string;
}

/** Adds the renewed TLS CAs of organisations to the channels. @param shift how far TLS handshakes are set back; undefined: not at all */
export function addNewCas(planning: Planning, shift: string | undefined): readonly ChannelUpdate[] {
  const mspIds = planning.mspsWithExpiredCa(planning.network.nodes);
  return planning.network.channels.flatMap((channel) =>
    organizationsOf(channel)
      .filter(({ mspId = '' }) => mspIds.includes(mspId))
      .flatMap((organization) => addNewCa(planning, channel, organization, shift)),
  );
}

/** The groups of the organisations of a channel. */
const organizationsOf = ({ channel: { orderer, application } }: StoredChannel): readonly Organization[] => [
  ...orderer.organizations,
  ...application.organizations,
];

function addNewCa(
  planning: Planning,
  channel: StoredChannel,
  { name, section, mspId = '' }: Organization,
  shift: string | undefined,
): readonly ChannelUpdate[] {
  const via = planning.consentersOf(channel).at(0)?.node;
  const folder = via?.channels.get(channel.name);
  if (via === undefined || folder === undefined) return [];
  const msp = planning.input(mspId, 'MSP', `MSP directory of ${mspId} as the channels have it, without keys`);
  const group = section.toLowerCase();
  const copy = `${FOLDER}/${fileName(channel.name)}-${fileName(name)}-${group}`;
  const update = `${copy}.pb`;
  const administrator = planning.administrator(mspId);
  const edit = `org set-msp ${shellWord(folder)} ${shellWord(name)} --group ${group} --msp ${shellWord(copy)}`;
  planning.add({
    title: `add the renewed TLS CA of ${mspId} to the channel ${channel.name}`,
    reason: 'the nodes of the organisation trust it through their files, all others through the channel',
    actions: commands(
      `cp -R ${valueOf(msp)} ${shellWord(copy)}`,
      `cp ${shellWord(newCaFile(mspId))} ${shellWord(`${copy}/tlscacerts/renewed-tls-ca.pem`)}`,
      ...editCommands(edit, folder, update, administrator),
      submitCommand(update, folder, planning.target(channel, via, shift), administrator),
    ),
    see: { text: `${via.name} has the block`, commands: [verifyCommand(update, folder)] },
  });
  return [{ channel: channel.name, update }];
}

/** Replaces the files of peers, in any order. @param updates that peers must receive before they trust the orderers */
export function addPeers(
  planning: Planning,
  renewed: readonly Renewed[],
  updates: readonly ChannelUpdate[],
): void {
  const overrides = overridesOf(planning);
  for (const node of planning.network.nodes.filter(({ kind }) => kind === 'peer')) {
    const own = renewed.find((each) => each.node === node);
    if (own === undefined && overrides.length === 0) continue;
    planning.add({
      title: `put the new files in place on ${node.name}, and start it again`,
      reason:
        overrides.length > 0
          ? 'it trusts the renewed TLS CA of the orderers through its file until it has the block with the CA'
          : 'a peer does not start, and orderers refuse it, with a signing certificate that has expired',
      actions: [
        { kind: 'stop', node: node.name },
        ...replacements(node, own?.certificates ?? []),
        ...planning.newTrust(node),
        ...overrideActions(node, overrides),
        { kind: 'start', node: node.name },
      ],
      see: {
        text: 'the peer receives blocks: its height grows',
        commands: updates.flatMap(({ channel, update }) => {
          const folder = node.channels.get(channel);
          return folder === undefined ? [] : [verifyCommand(update, folder)];
        }),
      },
    });
    if (overrides.length > 0)
      planning.add({
        title: `remove the overrides of ${node.name}`,
        reason: 'it has the renewed TLS CA from the channel',
        actions: [
          { kind: 'stop', node: node.name },
          overridesSetting(node, []),
          { kind: 'start', node: node.name },
        ],
        see: { text: 'the peer receives blocks: its height grows', commands: [] },
      });
  }
}

/** An orderer with a renewed TLS CA, at its address for peers. */
interface Override {
  readonly address: string;
  readonly mspId: string;
}

function overridesOf(planning: Planning): readonly Override[] {
  const { nodes, channels } = planning.network;
  const mspIds = planning.mspsWithExpiredCa(nodes.filter(({ kind }) => kind === 'orderer'));
  const found = new Map(
    channels.flatMap(({ channel: { orderer, ordererAddresses } }) =>
      orderer.organizations
        .filter(({ mspId = '' }) => mspIds.includes(mspId))
        .flatMap(({ endpoints, mspId = '' }) =>
          // Peers use the addresses of the channel for an organisation without endpoints.
          (endpoints.length > 0 ? endpoints : ordererAddresses).map((address) => [address, mspId] as const),
        ),
    ),
  );
  return [...found].map(([address, mspId]) => ({ address, mspId }));
}

function overrideActions(node: RescueNode, overrides: readonly Override[]): readonly Action[] {
  if (overrides.length === 0) return [];
  const fileOf = (mspId: string): string => `${node.file}.${fileName(mspId)}-tls-ca.pem`;
  const entries = overrides.map(({ address, mspId }) => ({
    from: address,
    to: address,
    caCertsFile: fileOf(mspId),
  }));
  return [
    ...[...new Set(overrides.map(({ mspId }) => mspId))].map((mspId): Action => ({
      kind: 'replace',
      node: node.name,
      file: fileOf(mspId),
      with: newCaFile(mspId),
    })),
    overridesSetting(node, entries),
  ];
}

const overridesSetting = ({ name, file }: RescueNode, value: readonly object[]): Action => ({
  kind: 'set',
  node: name,
  file,
  key: 'peer.deliveryclient.addressOverrides',
  value,
  variable: 'CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES',
});
