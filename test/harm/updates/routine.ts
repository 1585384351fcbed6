// Updates that administrators make every day: nothing is lost by them, and no danger is right.

import type { Random } from '../../fuzz/random.js';
import { NETS, type NetName, type Update } from '../case.js';
import { consentersOf } from './addresses.js';
import { newCa, renewedTls } from './certificates.js';
import { mspOf } from '../../e2e/fabric/harmful-updates.js';
import {
  application,
  element,
  meta,
  orderer,
  organization,
  ORGANIZATIONS,
  outOf,
  setPolicy,
  valueOf,
} from './parts.js';

type Routine = (random: Random, net: NetName) => Omit<Update, 'isRoutine'>;

const ORG = ['Org1MSP', 'Org2MSP'] as const;

const ACLS = [
  ['peer/Propose', '/Channel/Application/Writers'],
  ['peer/ChaincodeToChaincode', 'Writers'],
  ['_lifecycle/CommitChaincodeDefinition', '/Channel/Application/Writers'],
  ['event/Block', '/Channel/Application/Readers'],
  ['event/FilteredBlock', '/Channel/Readers'],
  ['gateway/CommitStatus', 'Readers'],
  ['qscc/GetBlockByTxID', '/Channel/Application/Readers'],
  ['cscc/GetConfigBlock', '/Channel/Application/Readers'],
  ['lscc/GetChaincodeData', 'Readers'],
] as const;

const UPDATES: readonly Routine[] = [
  (random) => {
    const value = random.pick([10, 100, 500, 1000]) + random.below(9);
    return {
      text: `Orderer BatchSize.max_message_count = ${value}`,
      edit: (channel) => (orderer(channel).values.BatchSize.value.max_message_count = value),
    };
  },
  (random) => {
    const value = random.pick([10_485_760, 52_428_800, 20_000_000]);
    return {
      text: `Orderer BatchSize.absolute_max_bytes = ${value}`,
      edit: (channel) => (orderer(channel).values.BatchSize.value.absolute_max_bytes = value),
    };
  },
  (random) => {
    const value = random.pick([1_000_000, 2_097_152]);
    return {
      text: `Orderer BatchSize.preferred_max_bytes = ${value}`,
      edit: (channel) => (orderer(channel).values.BatchSize.value.preferred_max_bytes = value),
    };
  },
  (random) => {
    const value = random.pick(['500ms', '1s', '2s', '3s']);
    return {
      text: `Orderer BatchTimeout.timeout = ${value}`,
      edit: (channel) => (orderer(channel).values.BatchTimeout.value.timeout = value),
    };
  },
  (random) => {
    const name = random.pick(ORG);
    return {
      text: `a second anchor peer of ${name}`,
      edit: (channel) =>
        valueOf(organization(channel, name), 'AnchorPeers').anchor_peers.push({ host: '127.0.0.1', port: 9 }),
    };
  },
  (random) => {
    const name = random.pick(ORGANIZATIONS);
    return {
      text: `a second TLS CA of ${name}`,
      edit: (channel) => mspOf(organization(channel, name)).tls_root_certs.push(newCa('tlsca2')),
    };
  },
  (random) => {
    const [resource, policy] = random.pick(ACLS);
    return {
      text: `Application ACLs ${resource} = ${policy}`,
      edit: (channel) => {
        const value = valueOf(application(channel), 'ACLs');
        value.acls = { ...value.acls, [resource]: { policy_ref: policy } };
      },
    };
  },
  (random) => {
    const name = random.pick(ORG);
    return {
      text: `a new policy Auditors of ${name}`,
      edit: (channel) => setPolicy(organization(channel, name), 'Auditors', outOf(1, [`${name}.admin`])),
    };
  },
  (random) => {
    const rule = random.pick(['ANY', 'MAJORITY'] as const);
    const policy = random.pick(['Readers', 'Admins']);
    return {
      text: `a new policy Application/Auditors = ${rule} ${policy}`,
      edit: (channel) => setPolicy(application(channel), 'Auditors', meta(rule, policy)),
    };
  },
  () => ({
    text: 'a new policy Orderer/Extra = ANY Writers',
    edit: (channel) => setPolicy(orderer(channel), 'Extra', meta('ANY', 'Writers')),
  }),
  (random) => {
    const name = random.pick(ORGANIZATIONS);
    return {
      text: `a second root CA of ${name}`,
      edit: (channel) => mspOf(organization(channel, name)).root_certs.push(newCa('ca2')),
    };
  },
  (random, net) => {
    const one = random.below(NETS[net].orderers);
    return {
      text: `TLS certificates of consenter ${one + 1} renewed with the same key`,
      edit: (channel, network) => {
        const certificate = renewedTls(network, one);
        Object.assign(consentersOf(net, channel)[one], {
          client_tls_cert: certificate,
          server_tls_cert: certificate,
        });
      },
    };
  },
  () => ({
    text: 'a new organisation Org3MSP with another CA',
    edit: (channel) => {
      const groups = application(channel).groups as Record<string, unknown>;
      groups.Org3MSP = newOrganization();
    },
  }),
  () => ({
    text: 'Endpoints of OrdererOrg with a further orderer',
    edit: (channel) =>
      valueOf(organization(channel, 'OrdererOrg'), 'Endpoints').addresses.push('127.0.0.1:9'),
  }),
];

function newOrganization(): object {
  const certificate = newCa('ca.org3');
  const unit = (name: string): object => ({ certificate, organizational_unit_identifier: name });
  const config = {
    name: 'Org3MSP',
    root_certs: [certificate],
    tls_root_certs: [newCa('tlsca.org3')],
    crypto_config: { identity_identifier_hash_function: 'SHA256', signature_hash_family: 'SHA2' },
    fabric_node_ous: {
      enable: true,
      admin_ou_identifier: unit('admin'),
      client_ou_identifier: unit('client'),
      peer_ou_identifier: unit('peer'),
      orderer_ou_identifier: unit('orderer'),
    },
  };
  const group = {
    groups: {},
    mod_policy: 'Admins',
    policies: {},
    values: { MSP: element({ config, type: 0 }) },
  };
  setPolicy(group, 'Readers', outOf(1, ['Org3MSP.member']));
  setPolicy(group, 'Writers', outOf(1, ['Org3MSP.admin', 'Org3MSP.client']));
  setPolicy(group, 'Admins', outOf(1, ['Org3MSP.admin']));
  setPolicy(group, 'Endorsement', outOf(1, ['Org3MSP.peer']));
  return group;
}

/** A routine update. */
export const routineUpdate = (random: Random, net: NetName): Update => ({
  ...random.pick(UPDATES)(random, net),
  isRoutine: true,
});

/** Several routine updates, each of another sort. */
export function routineUpdates(random: Random, net: NetName, count: number): Update[] {
  const sorts = [...UPDATES];
  return Array.from({ length: Math.min(count, sorts.length) }, () => {
    const [sort] = sorts.splice(random.below(sorts.length), 1);
    return { ...sort!(random, net), isRoutine: true };
  });
}
