// Stages: the envelope as the submitter sends it, and the size of the config envelope that the orderer makes of it (Fabric's
// orderer/common/msgprocessor: sizefilter.go, expiration.go, sigfilter.go; standardchannel.go, ProcessConfigUpdateMsg).

import {
  type BftVersion,
  checksExpiration,
  channelOf,
  type Channel,
  type Config,
  type Submission,
  smartBftFaults,
  smartBftOptions,
  writeConfig,
} from '../../channel/index.js';
import { SignerList, Evaluation, findPolicy } from '../../policy/index.js';
import { ordererServices } from '../../state/index.js';
import type { Facts } from '../facts/gather.js';
import type { Finding } from '../../documents/index.js';
import { finding, refused } from '../finding.js';

const BATCH_SIZE = '/Channel/Orderer/BatchSize';
const PREFIX = 'config update for existing channel did not pass initial checks: ';

/** The policy that the submitter has to satisfy. */
export const submitterPolicy = (config: Config): string =>
  ordererServices(channelOf(config)).broadcast.policy;

export function submissionFindings(facts: Facts): Finding[] {
  return [...sizeFindings(facts), ...expirationFindings(facts), ...writerFindings(facts)];
}

/** The maximum size of a message on a channel, in bytes. */
export const absoluteMaxBytes = (config: Config): number =>
  channelOf(config).orderer.batchSize.absoluteMaxBytes;

/** What `peer channel update` adds at least: two identities and two signatures. */
const LEAST_SUBMITTER = 1100;

function sizeFindings({ before, file: { submission: envelope }, submitter }: Facts): Finding[] {
  if (envelope === undefined) return [];
  const isComplete = submitter !== undefined && submitter.isAssumed !== true;
  const [size, limit] = [
    envelope.payload.length + envelope.signature.length,
    absoluteMaxBytes(before.config),
  ];
  const least = isComplete ? size : size + LEAST_SUBMITTER;
  if (least <= limit) return [];
  return [
    refused(PREFIX, {
      id: 'message-too-large',
      orderer: isComplete
        ? `message payload is ${size} bytes and exceeds maximum allowed ${limit} bytes`
        : 'message payload is …',
      path: BATCH_SIZE,
      data: { bytes: least, isComplete, limit },
    }),
  ];
}

function expirationFindings({ before, after: { now }, submitter }: Facts): Finding[] {
  const { capabilities } = before.channel.orderer;
  const end = submitter?.notAfter;
  if (!checksExpiration(capabilities) || end === undefined || now <= end) return [];
  return [
    refused(PREFIX, {
      id: 'submitter-expired',
      orderer: 'broadcast client identity expired',
      path: '',
      data: { notAfter: end.toISOString() },
    }),
  ];
}

function writerFindings({ before, submitter }: Facts): Finding[] {
  const path = submitterPolicy(before.config);
  const policy = findPolicy(before.policies.root, path);
  if (policy === undefined)
    return [
      refused(PREFIX, {
        id: 'writers-missing',
        orderer: `could not find policy ${path}`,
        path,
        data: { policy: path },
      }),
    ];
  const identity = submitter?.identity;
  const error = new Evaluation(new SignerList(identity === undefined ? [] : [identity])).errorOf(policy);
  if (error === undefined) return [];
  const orderer = `${error}: permission denied`;
  if (submitter === undefined)
    return [refused(PREFIX, { id: 'submitter-missing', orderer, path, data: {} }, 'unsigned')];
  const data = { policy: path, reason: submitter.problem ?? null };
  return [refused(PREFIX, { id: 'submitter-not-writer', orderer, path, data })];
}

/** The serialized identity and the signature of an orderer are not known; with a usual certificate they have about 900 bytes. */
const ORDERER = { least: 500, most: 2500 } as const;
/** Headers, nonce and lengths. */
const AROUND = 80;

/** The size of the config envelope with the least and with a large identity of an orderer, in bytes. */
export function configEnvelopeSize(
  after: Config,
  envelope: Submission | undefined,
): { readonly least: number; readonly most: number } {
  const update = envelope === undefined ? 0 : envelope.payload.length + envelope.signature.length;
  const known = writeConfig(after).length + update + AROUND;
  return { least: known + ORDERER.least, most: known + ORDERER.most };
}

/** A stage of its own, the last one. The current AbsoluteMaxBytes counts, also for an update that changes it. */
export function finalSizeFindings({ before, after, file }: Facts): Finding[] {
  const limit = absoluteMaxBytes(before.config);
  const { least, most } = configEnvelopeSize(after.config, file.submission);
  if (most <= limit) return [];
  if (least <= limit)
    return [finding('warning', 'config-nearly-too-large', BATCH_SIZE, { least, most, limit })];
  return [
    refused('config update for existing channel did not pass final checks: ', {
      id: 'config-too-large',
      orderer: 'message payload is …',
      path: BATCH_SIZE,
      data: { bytes: least, limit },
    }),
  ];
}

/**
 * The option `request_max_bytes` of a BFT channel; undefined for another channel, if it is 0, which means the size of a batch, and for
 * options that SmartBFT refuses: orderers keep those from before.
 */
export function requestLimit({ orderer }: Channel, version: BftVersion): bigint | undefined {
  const options = smartBftOptions(orderer);
  if (options === undefined || options.requestMaxBytes === 0n) return undefined;
  return smartBftFaults(options, version).length > 0 ? undefined : options.requestMaxBytes;
}

/**
 * Under BFT, the config envelope is a request of SmartBFT (internal/bft/requestpool.go, `Submit`), the last to refuse it. The current limit
 * counts, also for an update that changes it.
 */
export function requestSizeFindings({ before, after, file }: Facts): Finding[] {
  const limit = requestLimit(before.channel, before.program.bft);
  if (limit === undefined) return [];
  const { least, most } = configEnvelopeSize(after.config, file.submission);
  const data = { limit: String(limit) };
  const path = '/Channel/Orderer/ConsensusType';
  if (BigInt(most) <= limit) return [];
  if (BigInt(least) <= limit)
    return [finding('warning', 'request-nearly-too-large', path, { least, most, ...data })];
  return [
    refused('failed to submit request: ', {
      id: 'request-too-large',
      orderer: 'submitted request (…',
      path,
      data: { bytes: least, ...data },
    }),
  ];
}
