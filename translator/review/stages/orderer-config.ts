// Stage: the Orderer group of the resulting config (Fabric's common/channelconfig/orderer.go).

import {
  allowsOrganizationEndpoints,
  requiresOrganizationEndpoints,
  type FabricVersion,
  type Names,
  type ConfigGroup,
  VALUES,
  valueOrEmpty,
  MAX_PORT,
} from '../../channel/index.js';
import { parseDuration, printDuration } from '../../../core/common/text/go-duration.js';
import type { Refusal } from '../finding.js';
import { organizationRefusals, valueRefusals } from './group-values.js';

const PATH = '/Channel/Orderer';
const BATCH_SIZE = `${PATH}/BatchSize`;
const BATCH_TIMEOUT = `${PATH}/BatchTimeout`;

/** @param channel the capabilities of the channel */
export function ordererRefusals(orderer: ConfigGroup, channel: Names, fabric: FabricVersion): Refusal[] {
  const garbage = valueRefusals(orderer, 'orderer', PATH, knownValues(fabric));
  return [
    ...(garbage.length > 0
      ? garbage
      : [
          ...batchSizeRefusals(orderer),
          ...batchTimeoutRefusals(orderer),
          ...(fabric === '2.5' ? brokerRefusals(orderer) : []),
        ]),
    ...[...orderer.groups].flatMap(([name, group]) => memberRefusals(name, group, channel)),
    ...endpointRefusals(orderer, channel),
  ];
}

function knownValues(fabric: FabricVersion): ReadonlySet<string> {
  const names = Object.keys(VALUES.orderer);
  return new Set(fabric === '2.5' ? names.filter((name) => name !== 'Orderers') : names);
}

function batchSizeRefusals(orderer: ConfigGroup): Refusal[] {
  const { maxMessageCount, absoluteMaxBytes, preferredMaxBytes } = valueOrEmpty(
    orderer,
    'orderer',
    'BatchSize',
  );
  const fields = [
    ['max message count', 'max_message_count', maxMessageCount],
    ['absolute max bytes', 'absolute_max_bytes', absoluteMaxBytes],
    ['preferred max bytes', 'preferred_max_bytes', preferredMaxBytes],
  ] as const;
  const refusals: Refusal[] = fields
    .filter(([, , value]) => value === 0)
    .map(([name, field]) => ({
      id: 'batch-size',
      orderer: `Attempted to set the batch size ${name} to an invalid value: 0`,
      path: BATCH_SIZE,
      data: { field, value: 0 },
    }));
  if (preferredMaxBytes > absoluteMaxBytes)
    refusals.push({
      id: 'batch-size',
      orderer: `Attempted to set the batch size preferred max bytes (${preferredMaxBytes}) greater than the absolute max bytes (${absoluteMaxBytes}).`,
      path: BATCH_SIZE,
      data: { field: 'preferred_max_bytes', value: preferredMaxBytes, limit: absoluteMaxBytes },
    });
  return refusals;
}

function batchTimeoutRefusals(orderer: ConfigGroup): Refusal[] {
  const { timeout } = valueOrEmpty(orderer, 'orderer', 'BatchTimeout');
  const duration = parseDuration(timeout);
  if ('error' in duration)
    return [
      {
        id: 'batch-timeout',
        orderer: `Attempted to set the batch timeout to a invalid value: ${duration.error}`,
        path: BATCH_TIMEOUT,
        data: { timeout, duration: null },
      },
    ];
  if (duration.nanoseconds > 0n) return [];
  const printed = printDuration(duration.nanoseconds);
  return [
    {
      id: 'batch-timeout',
      orderer: `Attempted to set the batch timeout to a non-positive value: ${printed}`,
      path: BATCH_TIMEOUT,
      data: { timeout, duration: printed },
    },
  ];
}

/** Fabric 2.5 checks the addresses of Kafka brokers, 3.0 ignores them. */
function brokerRefusals(orderer: ConfigGroup): Refusal[] {
  const isValid = (broker: string): boolean => {
    const [host = '', port = '', ...more] = broker.split(':');
    return (
      more.length === 0 &&
      /^[0-9]+$/.test(port) &&
      Number(port) <= MAX_PORT &&
      (host === '' || /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(host))
    );
  };
  return valueOrEmpty(orderer, 'orderer', 'KafkaBrokers')
    .brokers.filter((broker) => !isValid(broker))
    .map((broker) => ({
      id: 'kafka-broker',
      orderer: `Invalid broker entry: ${broker}`,
      path: `${PATH}/KafkaBrokers`,
      data: { broker },
    }));
}

function memberRefusals(name: string, group: ConfigGroup, channel: Names): Refusal[] {
  const path = `${PATH}/${name}`;
  if (group.groups.size > 0)
    return [
      {
        id: 'group-in-organization',
        orderer: 'OrdererOrg config does not allow sub-groups',
        path,
        data: { organization: name },
      },
    ];
  if (group.values.has('Endpoints') && !allowsOrganizationEndpoints(channel))
    return [
      {
        id: 'endpoints-not-allowed',
        orderer: `Orderer Org ${name} cannot contain endpoints value until V1_4_2+ capabilities have been enabled`,
        path: `${path}/Endpoints`,
        data: { organization: name },
      },
    ];
  return organizationRefusals(name, group, 'ordererOrganization', path);
}

function endpointRefusals(orderer: ConfigGroup, channel: Names): Refusal[] {
  if (!requiresOrganizationEndpoints(channel)) return [];
  const without = [...orderer.groups]
    .filter(([name, group]) => {
      const parses = valueRefusals(group, 'ordererOrganization', name).length === 0;
      return parses && valueOrEmpty(group, 'ordererOrganization', 'Endpoints').addresses.length === 0;
    })
    .map(([name]) => name);
  if (without.length === 0) return [];
  return [
    {
      id: 'endpoints-missing',
      orderer: `some orderer organizations endpoints are empty: [${without.join(' ')}]`,
      path: `${PATH}/${without[0]!}/Endpoints`,
      data: { organizations: without },
    },
  ];
}
