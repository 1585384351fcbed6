// Stage: what an orderer refuses when it joins a channel with the block, besides what it refuses in any config (Fabric's
// orderer/common/channelparticipation/validator.go, `ValidateJoinBlock`; orderer/common/multichannel/registrar.go, `JoinChannel`). Texts
// are those of `osnadmin channel join`.

import {
  channelNameFault,
  channelOf,
  type Channel,
  type ConfigFile,
  type FabricVersion,
} from '../../channel/index.js';
import type { Finding, JoinProblem } from '../../documents/index.js';
import { refused } from '../finding.js';

/** What refuses a block, with Fabric's text. */
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

/** What orderers refuse at a join. A config that is not in a block is judged as that of a block without faults. */
export function joinFindings(file: ConfigFile, fabric: FabricVersion): Finding[] {
  const channel = channelOf(file.config);
  return [
    ...blockRefusals(file, fabric),
    ...groupRefusals(channel, fabric),
    ...registrarRefusals(file, channel, fabric),
  ].map(({ orderer, path, data }) => refused('', { id: 'join-refused', orderer, path, data }));
}

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
