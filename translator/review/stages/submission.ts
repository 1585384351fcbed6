// Stage: the envelope as the submitter sends it (Fabric's orderer/common/msgprocessor: sizefilter.go, expiration.go, sigfilter.go).

import { allowsMaintenance, checksExpiration } from '../../config/capabilities.js';
import type { Config } from '../../config/element.js';
import { STATE_MAINTENANCE, valueOrEmpty } from '../../config/values.js';
import { dayText } from '../../describe/certificate.js';
import { SignerList } from '../../policy/evaluate.js';
import { Evaluation } from '../../policy/evaluation.js';
import { findPolicy } from '../../policy/policies.js';
import type { Facts } from '../facts/gather.js';
import { ordererOf } from '../facts/state.js';
import { refused, type Finding } from '../finding.js';

const PREFIX = 'config update for existing channel did not pass initial checks: ';

/** The policy that the submitter has to satisfy. */
export function submitterPolicy({ channelGroup }: Config): string {
  const orderer = channelGroup.groups.get('Orderer');
  const { state } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  const { capabilities } = valueOrEmpty(orderer, 'orderer', 'Capabilities');
  return allowsMaintenance(capabilities) && state === STATE_MAINTENANCE
    ? '/Channel/Orderer/Writers'
    : '/Channel/Writers';
}

export function submissionFindings(facts: Facts): Finding[] {
  return [...sizeFindings(facts), ...expirationFindings(facts), ...writerFindings(facts)];
}

/** The maximum size of a message on a channel, in bytes. */
export const absoluteMaxBytes = ({ channelGroup }: Config): number =>
  valueOrEmpty(channelGroup.groups.get('Orderer'), 'orderer', 'BatchSize').absoluteMaxBytes;

/** What `peer channel update` adds at least: two identities and two signatures. */
const LEAST_SUBMITTER = 1100;

function sizeFindings({ before, file: { envelope }, submitter }: Facts): Finding[] {
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
      path: '/Channel/Orderer/BatchSize',
      text: `the envelope has ${isComplete ? '' : 'at least '}${least} bytes, more than AbsoluteMaxBytes of the channel, ${limit}`,
      todo: 'raise AbsoluteMaxBytes first, or split the update and use as few signatures as the policies need',
    }),
  ];
}

function expirationFindings({ before, after: { now }, submitter }: Facts): Finding[] {
  const { capabilities } = valueOrEmpty(ordererOf(before), 'orderer', 'Capabilities');
  const end = submitter?.notAfter;
  if (!checksExpiration(capabilities) || end === undefined || now <= end) return [];
  return [
    refused(PREFIX, {
      id: 'submitter-expired',
      orderer: 'broadcast client identity expired',
      path: '',
      text: `the certificate of the submitter expired on ${dayText(end)}`,
      todo: 'submit with a certificate that is valid; the signatures on the update stay valid',
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
        text: `the policy ${path} does not exist, so nobody can submit anything`,
        todo: 'nothing helps: without this policy, the channel cannot change any more',
      }),
    ];
  const identity = submitter?.identity;
  const error = new Evaluation(new SignerList(identity === undefined ? [] : [identity])).errorOf(policy);
  if (error === undefined) return [];
  const finding = refused(PREFIX, {
    id: 'submitter-not-writer',
    orderer: `${error}: permission denied`,
    path,
    text: `the submitter does not satisfy ${path}${submitter?.problem === undefined ? '' : `: ${submitter.problem}`}`,
    todo: 'submit with an identity that satisfies the policy',
  });
  if (submitter !== undefined) return [finding];
  return [
    {
      ...finding,
      id: 'submitter-missing',
      severity: 'unsigned',
      text: 'nobody has signed the envelope as its submitter yet',
      todo: 'submit it with configtxlator submit or peer channel update, which sign it, or sign it with configtxlator sign',
    },
  ];
}
