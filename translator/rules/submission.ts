// The envelope as the submitter sends it, and the size of the config envelope that the orderer makes of it (Fabric's
// orderer/common/msgprocessor: sizefilter.go, expiration.go, sigfilter.go; standardchannel.go, ProcessConfigUpdateMsg).

import { checksExpiration } from '../channel/index.js';
import { day, shortPath, words } from '../documents/index.js';
import { Evaluation, SignerList, findPolicy } from '../policy/index.js';
import { nameOf, submitterPolicy } from './facts/signers.js';
import { absoluteMaxBytes, configEnvelopeSize, requestLimit } from './facts/limits.js';
import { defineCheck, defineRule } from './rule.js';

const submitterExpired = defineRule({
  id: 'submitter-expired',
  severity: 'refused',
  isOfSubmitter: true,
  meaning: 'the certificate of the submitter has expired',
  words: ({ notAfter }: { notAfter: string }) =>
    words(
      `the certificate of the submitter expired on ${day(notAfter)}`,
      'submit with a certificate that is valid; the signatures on the update stay valid',
    ),
});

/** The policy of submitters in maintenance. */
const MAINTENANCE = '/Channel/Orderer/Writers';

const submitterNotWriter = defineRule({
  id: 'submitter-not-writer',
  severity: 'refused',
  isOfSubmitter: true,
  meaning: 'the submitter does not satisfy the Writers policy',
  words: ({ policy, signer, reason }: { policy: string; signer: string; reason: string | null }) =>
    words(
      `${signer} may not submit this update: the signature does not satisfy ${policy}${reason === null ? '' : `: ${reason}`}`,
      'submit with an identity that satisfies the policy',
      `${signer} may not submit this update: ${shortPath(policy)} ${policy === MAINTENANCE ? 'lets only orderer organisations submit in maintenance' : `does not count this identity`}`,
    ),
});

const submitterMissing = defineRule({
  id: 'submitter-missing',
  severity: 'unsigned',
  isOfSubmitter: true,
  meaning: 'the envelope is not signed by a submitter yet',
  words: () =>
    words(
      'nobody has signed the envelope as its submitter yet',
      'submit it with configtxlator submit or peer channel update, which sign it, or sign it with configtxlator sign',
    ),
});

const writersMissing = defineRule({
  id: 'writers-missing',
  severity: 'refused',
  isOfSubmitter: true,
  meaning: 'the Writers policy does not exist',
  words: ({ policy }: { policy: string }) =>
    words(
      `the policy ${policy} does not exist, so nobody can submit anything`,
      'there is no remedy: without this policy, the channel cannot change any more',
    ),
});

const messageTooLarge = defineRule({
  id: 'message-too-large',
  severity: 'refused',
  meaning: 'the envelope exceeds AbsoluteMaxBytes',
  words: ({ bytes, isComplete, limit }: { bytes: number; isComplete: boolean; limit: number }) =>
    words(
      `the envelope has ${isComplete ? '' : 'at least '}${bytes} bytes, more than AbsoluteMaxBytes of the channel, ${limit}`,
      'raise AbsoluteMaxBytes first, or split the update and use as few signatures as the policies need',
    ),
});

const configTooLarge = defineRule({
  id: 'config-too-large',
  severity: 'refused',
  meaning: 'the resulting config exceeds AbsoluteMaxBytes',
  words: ({ bytes, limit }: { bytes: number; limit: number }) =>
    words(
      `with the resulting config the message has at least ${bytes} bytes, more than AbsoluteMaxBytes, ${limit}`,
      'make the config smaller, for example by removing old certificates; the present limit counts',
    ),
});

const configNearlyTooLarge = defineRule({
  id: 'config-nearly-too-large',
  severity: 'warning',
  meaning: 'the resulting config may exceed AbsoluteMaxBytes',
  words: ({ least, most, limit }: { least: number; most: number; limit: number }) =>
    words(
      `with the resulting config the message has about ${least} to ${most} bytes, AbsoluteMaxBytes is ${limit}: the orderer may refuse it`,
      'raise AbsoluteMaxBytes before the config grows further',
    ),
});

const requestTooLarge = defineRule({
  id: 'request-too-large',
  severity: 'refused',
  meaning: 'a config update with its config exceeds the largest BFT request',
  words: ({ bytes, limit }: { bytes: number; limit: string }) =>
    words(
      `with the resulting config the BFT request has at least ${bytes} bytes, and request_max_bytes allows ${limit}`,
      'make the config smaller, for example by removing old certificates; the limit before the update counts',
    ),
});

const requestNearlyTooLarge = defineRule({
  id: 'request-nearly-too-large',
  severity: 'warning',
  meaning: 'a config update may exceed the largest BFT request',
  words: ({ least, most, limit }: { least: number; most: number; limit: string }) =>
    words(
      `with the resulting config the BFT request has about ${least} to ${most} bytes, and request_max_bytes allows ${limit}: the orderer may refuse it`,
      'raise request_max_bytes before the config grows further',
    ),
});

const BATCH_SIZE = '/Channel/Orderer/BatchSize';
const PREFIX = 'config update for existing channel did not pass initial checks: ';

/** The minimum size that `peer channel update` adds, in bytes: two identities and two signatures. */
const LEAST_SUBMITTER = 1100;

/** `SizeFilter` */
export const messageSize = defineCheck({
  needs: 'update',
  rules: [messageTooLarge],
  find({ before, file: { submission: envelope }, submitter }) {
    if (envelope === undefined) return [];
    const isComplete = submitter !== undefined && submitter.isAssumed !== true;
    const [size, limit] = [
      envelope.payload.length + envelope.signature.length,
      absoluteMaxBytes(before.config),
    ];
    const least = isComplete ? size : size + LEAST_SUBMITTER;
    if (least <= limit) return [];
    const text = isComplete
      ? `message payload is ${size} bytes and exceeds maximum allowed ${limit} bytes`
      : 'message payload is …';
    return [messageTooLarge.refused(PREFIX + text, BATCH_SIZE, { bytes: least, isComplete, limit })];
  },
});

/** `ExpirationRejectRule` */
export const expiration = defineCheck({
  needs: 'update',
  rules: [submitterExpired],
  find({ before, after: { now }, submitter }) {
    const { capabilities } = before.channel.orderer;
    const end = submitter?.notAfter;
    if (!checksExpiration(capabilities) || end === undefined || now <= end) return [];
    const data = { notAfter: end.toISOString() };
    return [submitterExpired.refused(`${PREFIX}broadcast client identity expired`, '', data)];
  },
});

/** `SigFilter`: one policy with one fault. */
export const writers = defineCheck({
  needs: 'update',
  rules: [writersMissing, submitterMissing, submitterNotWriter],
  find({ before, submitter }) {
    const path = submitterPolicy(before.channel);
    const policy = findPolicy(before.policies.root, path);
    if (policy === undefined)
      return [writersMissing.refused(`${PREFIX}could not find policy ${path}`, path, { policy: path })];
    const identity = submitter?.identity;
    const error = new Evaluation(new SignerList(identity === undefined ? [] : [identity])).errorOf(policy);
    if (error === undefined) return [];
    const orderer = `${PREFIX}${error}: permission denied`;
    if (submitter === undefined) return [submitterMissing.refused(orderer, path, {})];
    const data = { policy: path, signer: nameOf(submitter, 0), reason: submitter.problem ?? null };
    return [submitterNotWriter.refused(orderer, path, data)];
  },
});

/** The last filter of an orderer. The current AbsoluteMaxBytes counts, also for an update that changes it. */
export const finalSize = defineCheck({
  needs: 'update',
  rules: [configTooLarge, configNearlyTooLarge],
  find({ before, after, file }) {
    const limit = absoluteMaxBytes(before.config);
    const { least, most } = configEnvelopeSize(after.config, file.submission);
    if (most <= limit) return [];
    if (least <= limit) return [configNearlyTooLarge.at(BATCH_SIZE, { least, most, limit })];
    const text = 'config update for existing channel did not pass final checks: message payload is …';
    return [configTooLarge.refused(text, BATCH_SIZE, { bytes: least, limit })];
  },
});

/**
 * Under BFT, the config envelope is a request of SmartBFT (internal/bft/requestpool.go, `Submit`), the last to refuse it. The current limit
 * counts, also for an update that changes it.
 */
export const requestSize = defineCheck({
  needs: 'update',
  rules: [requestTooLarge, requestNearlyTooLarge],
  find({ before, after, file }) {
    const limit = requestLimit(before.channel, before.program.bft);
    if (limit === undefined) return [];
    const { least, most } = configEnvelopeSize(after.config, file.submission);
    const data = { limit: String(limit) };
    const path = '/Channel/Orderer/ConsensusType';
    if (BigInt(most) <= limit) return [];
    if (BigInt(least) <= limit) return [requestNearlyTooLarge.at(path, { least, most, ...data })];
    const text = 'failed to submit request: submitted request (…';
    return [requestTooLarge.refused(text, path, { bytes: least, ...data })];
  },
});
