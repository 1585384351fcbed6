// Cases that have shown something: a network without an update, and updates that reviews were once wrong about.

import type { ConfigGroupJson } from '../e2e/fabric/channel-edits.js';
import type { HarmCase, Update } from './case.js';
import { mspOf } from '../e2e/fabric/harmful-updates.js';
import { bftOptions } from '../e2e/fabric/harmful-updates.js';
import { withoutEndorsement } from './updates/msps.js';
import { renewIdentities } from './updates/addresses.js';
import { renewedRoot } from './updates/certificates.js';
import { application, element, orderer, organization, outOf, setPolicy, valueOf } from './updates/parts.js';

const batch = (values: Readonly<Record<string, number>>): Update => ({
  text: `Orderer BatchSize: ${JSON.stringify(values)}`,
  edit: (channel) => Object.assign(orderer(channel).values.BatchSize.value, values),
});

const requestMaxBytes = (value: string): Update => ({
  text: `Orderer ConsensusType.metadata.request_max_bytes = ${value}`,
  edit: (channel) => (bftOptions(channel).request_max_bytes = value),
});

const NEWEST = { releases: ['3.1.5'] } as const;

/** Cases by their name. */
export const FIXED: readonly HarmCase[] = [
  { ...NEWEST, id: 'no-update', net: 'raft3', updates: [] },
  {
    ...NEWEST,
    id: 'bft-more-messages-than-bytes',
    net: 'bft4',
    updates: [
      batch({ max_message_count: 6_000_000, absolute_max_bytes: 5_242_880, preferred_max_bytes: 524_288 }),
    ],
  },
  { ...NEWEST, id: 'bft-request-larger-than-a-batch', net: 'bft4', updates: [requestMaxBytes('200000000')] },
  {
    ...NEWEST,
    id: 'bft-batch-smaller-than-a-request',
    net: 'bft4',
    updates: [
      requestMaxBytes('10485760'),
      batch({ absolute_max_bytes: 5_242_880, preferred_max_bytes: 524_288 }),
    ],
  },
  { releases: ['3.0.0'], id: 'bft-identities-renewed', net: 'bft4', updates: [renewIdentities(4)] },
  {
    ...NEWEST,
    id: 'endpoints-of-an-organisation-with-another-tls-ca',
    net: 'raft1',
    updates: [
      {
        text: 'Org2MSP is an orderer organisation too, and has the Endpoints of OrdererOrg in its place',
        edit: (channel) => {
          const groups = orderer(channel).groups as Record<string, ConfigGroupJson>;
          const added = withoutEndorsement(application(channel).groups.Org2MSP!);
          const { values } = organization(channel, 'OrdererOrg');
          groups.Org2MSP = { ...added, values: { ...added.values, Endpoints: values['Endpoints'] } };
          delete values['Endpoints'];
        },
      },
    ],
  },
  {
    ...NEWEST,
    id: 'endpoints-hide-global-addresses',
    net: 'raft1',
    updates: [
      {
        text: 'OrdererAddresses in place of the Endpoints of OrdererOrg',
        edit: (channel) => {
          const { values } = organization(channel, 'OrdererOrg');
          channel.values['OrdererAddresses'] = element(values['Endpoints'].value);
          delete values['Endpoints'];
        },
      },
      {
        text: 'Endpoints of OrdererOrg = 127.0.0.1:9',
        edit: (channel) =>
          (valueOf(organization(channel, 'OrdererOrg'), 'Endpoints').addresses = ['127.0.0.1:9']),
      },
    ],
  },
  {
    ...NEWEST,
    id: 'approval-needs-another-organisation',
    net: 'raft1',
    updates: [
      {
        text: 'Org1MSP Endorsement = OutOf(2, Org1MSP.peer, Org2MSP.peer)',
        edit: (channel) =>
          setPolicy(
            organization(channel, 'Org1MSP'),
            'Endorsement',
            outOf(2, ['Org1MSP.peer', 'Org2MSP.peer']),
          ),
      },
    ],
  },
  {
    ...NEWEST,
    id: 'two-chains-of-a-renewed-ca',
    net: 'raft1',
    updates: [
      {
        text: 'MSP of Org1MSP: a renewed root CA with the same key beside the old one',
        edit: (channel, network) =>
          mspOf(organization(channel, 'Org1MSP')).root_certs.push(renewedRoot(network, 'Org1MSP', 'before')),
      },
    ],
  },
  {
    ...NEWEST,
    id: 'gossip-without-peers',
    net: 'raft1',
    updates: [
      {
        text: 'Application Readers = OR(Org1MSP.admin, Org1MSP.client, Org2MSP.admin, Org2MSP.client), Channel Readers = OR of all members',
        edit: (channel) => {
          setPolicy(
            application(channel),
            'Readers',
            outOf(1, ['Org1MSP.admin', 'Org1MSP.client', 'Org2MSP.admin', 'Org2MSP.client']),
          );
          setPolicy(channel, 'Readers', outOf(1, ['Org1MSP.member', 'Org2MSP.member', 'OrdererMSP.member']));
        },
      },
    ],
  },
];
