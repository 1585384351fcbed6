// Refusals of an orderer that joins a channel with the block, besides the refusals of any config (Fabric's
// orderer/common/channelparticipation/validator.go, `ValidateJoinBlock`; orderer/common/multichannel/registrar.go, `JoinChannel`), with the
// texts of `osnadmin channel join`.

import {
  type Channel,
  type ConfigFile,
  type FabricVersion,
  channelNameFault,
  channelOf,
} from '../channel/index.js';
import { type FindingWords, quoted, words } from '../documents/index.js';
import { defineCheck, defineRule } from './rule.js';

/** The reason that an orderer does not join a channel with a block. */
type JoinProblem =
  | { readonly problem: 'metadata' | 'data-hash' | 'consortiums' | 'no-application' }
  | { readonly problem: 'no-orderer' | 'no-block-validation' | 'no-raft-metadata' }
  | { readonly problem: 'transactions'; readonly count: number }
  | { readonly problem: 'channel-name'; readonly name: string }
  | { readonly problem: 'consensus-type'; readonly type: string; readonly known: readonly string[] };

const MAKE = 'make the block with configtxgen, or fetch it again';

function joinWords(data: JoinProblem): FindingWords {
  switch (data.problem) {
    case 'transactions':
      return words(`the block has ${data.count} transactions, a config block has one`, MAKE);
    case 'metadata':
      return words('the block has no metadata', MAKE);
    case 'data-hash':
      return words('the data hash in the header of the block does not match its data', MAKE);
    case 'channel-name':
      return words(
        `${quoted(data.name)} is no name of a channel`,
        'use lower-case letters, digits, dots and dashes, a letter first, at most 249 characters',
      );
    case 'consortiums':
      return words(
        'the config has the group Consortiums: orderers from Fabric 3.0 on have no system channel',
        'remove the group Consortiums, or use orderers of Fabric 2.5',
      );
    case 'no-application':
      return words('the config has no group Application', 'add the group Application with its organisations');
    case 'no-orderer':
      return words('the config has no group Orderer', 'add the group Orderer');
    case 'no-block-validation':
      return words('the group Orderer has no policy BlockValidation', 'add it, for example ANY Writers');
    case 'no-raft-metadata':
      return words('the metadata of the consensus type is empty', 'set options and consenters');
    case 'consensus-type':
      break;
  }
  return words(
    `these orderers cannot join a channel of the consensus type ${quoted(data.type)}`,
    `use ${data.known.join(' or ')}`,
  );
}

const joinRefused = defineRule({
  id: 'join-refused',
  severity: 'refused',
  meaning: 'orderers do not join a channel with the block',
  words: joinWords,
});

/** The refusal of a block, with Fabric's text. */
interface JoinRefusal {
  readonly orderer: string;
  readonly path: string;
  readonly data: JoinProblem;
}

/** The consensus types that orderers of a version join channels of; 2.5 knows the other two and cannot join them. */
const JOINED: Readonly<Record<FabricVersion, readonly string[]>> = {
  '2.5': ['etcdraft'],
  '3.0': ['etcdraft', 'BFT'],
};
const NOT_CLUSTERS: ReadonlySet<string> = new Set(['solo', 'kafka']);

/** One rule: its data contain the problem. A config that is not in a block is judged like the config of a block without faults. */
export const join = defineCheck({
  needs: 'block',
  rules: [joinRefused],
  find({ file, fabric }) {
    const channel = channelOf(file.config);
    return [
      ...blockRefusals(file, fabric),
      ...groupRefusals(channel, fabric),
      ...registrarRefusals(file, channel, fabric),
    ].map(({ orderer, path, data }) => joinRefused.refused(orderer, path, data));
  },
});

function blockRefusals({ block, channel }: ConfigFile, fabric: FabricVersion): JoinRefusal[] {
  const refusals: JoinRefusal[] = [];
  const refuse = (orderer: string, data: JoinProblem): void =>
    void refusals.push({ orderer: `invalid join block: ${orderer}`, path: '', data });
  if (block !== undefined && block.transactions !== 1)
    refuse('block is not a config block', { problem: 'transactions', count: block.transactions });
  if (block?.hasMetadata === false && fabric === '2.5')
    // The orderer of 2.5 panics in the request, after it has created the ledger.
    refusals.push({
      orderer: 'runtime error: invalid memory address or nil pointer dereference',
      path: '',
      data: { problem: 'metadata' },
    });
  if (block?.hasMetadata === false && fabric !== '2.5')
    refuse('invalid block: does not have metadata', { problem: 'metadata' });
  if (block?.isDataHashRight === false && fabric !== '2.5')
    refuse('invalid block: Header.DataHash is different from Hash(block.Data)', { problem: 'data-hash' });
  const fault = channel === undefined ? undefined : channelNameFault(channel);
  if (fault !== undefined)
    refuse(`initializing configtx manager failed: bad channel ID: ${fault}`, {
      problem: 'channel-name',
      name: channel!,
    });
  return refusals;
}

function groupRefusals({ consortiums, application }: Channel, fabric: FabricVersion): JoinRefusal[] {
  const isOld = fabric === '2.5';
  if (consortiums !== undefined)
    return isOld
      ? []
      : [
          {
            orderer: 'invalid join block: invalid config: contains consortiums: system channel not supported',
            path: '/Channel/Consortiums',
            data: { problem: 'consortiums' },
          },
        ];
  if (application.group !== undefined) return [];
  const text = isOld
    ? 'must have at least one of application or consortiums'
    : 'must contain application config';
  return [
    {
      orderer: `invalid join block: invalid config: ${text}`,
      path: '/Channel/Application',
      data: { problem: 'no-application' },
    },
  ];
}

function registrarRefusals(
  { channel: name = '' }: ConfigFile,
  { orderer }: Channel,
  fabric: FabricVersion,
): JoinRefusal[] {
  const { group, consensus } = orderer;
  if (group === undefined)
    return [
      {
        orderer: `cannot join: failed creating ledger resources: error checking bundle for channel: ${name}: config does not contain orderer config`,
        path: '/Channel/Orderer',
        data: { problem: 'no-orderer' },
      },
    ];
  const refusals: JoinRefusal[] = [];
  if (fabric !== '2.5' && !group.policies.has('BlockValidation'))
    refusals.push({
      orderer: 'cannot join: failed creating ledger resources: no policies in config block',
      path: '/Channel/Orderer/BlockValidation',
      data: { problem: 'no-block-validation' },
    });
  const { type, metadata } = consensus;
  const path = '/Channel/Orderer/ConsensusType';
  if (!JOINED[fabric].includes(type)) {
    const isNoCluster = fabric === '2.5' && NOT_CLUSTERS.has(type);
    refusals.push({
      orderer: isNoCluster
        ? 'cannot join: failed cast: clusterConsenter is not a consensus.ClusterConsenter'
        : `cannot join: failed to find a consenter for consensus type: ${type}`,
      path,
      data: { problem: 'consensus-type', type, known: JOINED[fabric] },
    });
  } else if (type === 'etcdraft' && metadata.length === 0)
    refusals.push({
      orderer:
        'cannot join: failed to determine cluster membership from join-block: failed to validate config metadata of ordering config: nil Raft config metadata options',
      path,
      data: { problem: 'no-raft-metadata' },
    });
  return refusals;
}
