// Findings about the update itself, its signatures, its submitter and its size.

import { day, quoted, words, type FindingWords } from './words.js';

const OUTDATED = 'make the update again for the newest config block: configtxlator rebase FILE --block BLOCK';

export const UPDATE = {
  'channel-mismatch': ({ channel, expected }: { channel: string; expected: string }) =>
    words(
      `the envelope is for the channel ${quoted(channel)}, the block is of ${quoted(expected)}`,
      'use a block of the channel, or correct the channel_id of the envelope',
    ),
  'update-channel': () =>
    words('the update is for another channel', 'compute the update with the name of this channel'),
  'update-name': () =>
    words(
      'a name of the update is not allowed',
      'use 1 to 249 letters, digits, dots and dashes; one or two dots alone are not allowed',
    ),
  'update-read-set': () =>
    words(
      'the update was not computed from this config: an element that it depends on has another version',
      OUTDATED,
    ),
  'update-empty': () =>
    words(
      'the update changes nothing',
      'compute it from the current config and a changed one, in this order',
    ),
  'update-mod-policy': () =>
    words(
      'a changed element has no valid mod_policy',
      'set mod_policy to the name of a policy, for example Admins, or to a path such as /Channel/Application/Admins',
    ),
  'update-version': () =>
    words(
      'the update was not computed from this config: a changed element does not have the next version',
      OUTDATED,
    ),
  'update-not-canonical': ({ content }: { content: string }) =>
    words(
      `the update has content that is not understood: ${content}; an orderer may accept it, but nobody should sign it`,
      'make the update again from two configs, and ask who made this one',
    ),
  'update-without-effect': () =>
    words(
      'the update sets only what the config already has: it changes versions, nothing else',
      'compute it again, from the current config to the changed one; perhaps they were swapped',
    ),
  'change-without-effect': ({ elements }: { elements: number }) =>
    words(
      elements === 1
        ? 'the update sets an element to what it already is'
        : `the update sets ${elements} elements to what they already are`,
      'leave these elements out of the update: fewer signatures may be needed',
    ),
  'change-ignored': () =>
    words(
      'the element is new, but its group is not raised to the next version: orderers accept that and ignore it',
      'compute the update from two configs instead of writing it by hand',
    ),
  'change-not-shown': ({ reason }: { reason: string }) =>
    words(
      `the review does not show everything that the update changes here: ${reason}`,
      'compare the JSON of both configs with configtxlator proto_decode, and ask who made the update',
    ),

  'element-policy-missing': ({ modPolicy }: { modPolicy: string }) =>
    words(
      `the mod_policy ${quoted(modPolicy)} of the element names no policy, so nobody can change it`,
      'leave the element as it is; if the policy was removed, add it again where its group can still be changed',
    ),
  'mod-policy-unsatisfiable': ({ policy }: { policy: string }) =>
    words(
      `nobody can satisfy ${policy}, which decides about this element`,
      'change the policy first, if its own mod_policy can still be satisfied',
    ),
  'signature-header-undecodable': ({ signature }: { signature: number }) =>
    words(
      `the header of signature ${signature} does not parse; one such header refuses the whole update`,
      'remove the signature: merge the signed files of the other people again',
    ),
  'signatures-missing': ({ policy, count, signers }: { policy: string; count: number; signers: string }) =>
    words(
      `${count} more ${count === 1 ? 'signature' : 'signatures'} needed for ${policy}: ${signers}`,
      'sign with the MSP directory of such an identity: configtxlator sign FILE --msp DIRECTORY',
    ),
  'signatures-order': ({ policy }: { policy: string }) =>
    words(
      `the signatures satisfy ${policy} only if they are reordered`,
      'let configtxlator merge order them: merge the signed files again with --block',
    ),
  'signature-ignored': ({ signer, reason }: { signer: string; reason: string }) =>
    words(
      `orderers ignore the signature of ${signer}: ${reason}`,
      'let this person sign this update again, with an identity of an organisation of the channel',
    ),
  'signature-duplicate': ({ signer }: { signer: string }) =>
    words(
      `${signer} has signed more than once; one signature counts`,
      'merge the signed files with configtxlator merge, which drops duplicates',
    ),
  'signer-expired': ({ signer, notAfter }: { signer: string; notAfter: string }) =>
    words(
      `the certificate of ${signer} expired on ${day(notAfter)}, but the signature counts: orderers look only at the expiry of the submitter`,
      'check that this person may still sign; renew the certificate',
    ),
  'signer-cut-off': ({ signer, reason }: { signer: string; reason: string }) =>
    words(
      `${signer} does not count after this update: ${reason}`,
      'check that another admin of this organisation can sign',
    ),

  'submitter-expired': ({ notAfter }: { notAfter: string }) =>
    words(
      `the certificate of the submitter expired on ${day(notAfter)}`,
      'submit with a certificate that is valid; the signatures on the update stay valid',
    ),
  'submitter-not-writer': ({ policy, reason }: { policy: string; reason: string | null }) =>
    words(
      `the submitter does not satisfy ${policy}${reason === null ? '' : `: ${reason}`}`,
      'submit with an identity that satisfies the policy',
    ),
  'submitter-missing': () =>
    words(
      'nobody has signed the envelope as its submitter yet',
      'submit it with configtxlator submit or peer channel update, which sign it, or sign it with configtxlator sign',
    ),
  'writers-missing': ({ policy }: { policy: string }) =>
    words(
      `the policy ${policy} does not exist, so nobody can submit anything`,
      'nothing helps: without this policy, the channel cannot change any more',
    ),

  'message-too-large': ({
    bytes,
    isComplete,
    limit,
  }: {
    bytes: number;
    isComplete: boolean;
    limit: number;
  }) =>
    words(
      `the envelope has ${isComplete ? '' : 'at least '}${bytes} bytes, more than AbsoluteMaxBytes of the channel, ${limit}`,
      'raise AbsoluteMaxBytes first, or split the update and use as few signatures as the policies need',
    ),
  'config-too-large': ({ bytes, limit }: { bytes: number; limit: number }) =>
    words(
      `with the resulting config the message has at least ${bytes} bytes, more than AbsoluteMaxBytes, ${limit}`,
      'make the config smaller, for example by removing old certificates; the present limit counts',
    ),
  'config-nearly-too-large': ({ least, most, limit }: { least: number; most: number; limit: number }) =>
    words(
      `with the resulting config the message has about ${least} to ${most} bytes, AbsoluteMaxBytes is ${limit}: the orderer may refuse it`,
      'raise AbsoluteMaxBytes before the config grows further',
    ),
  'request-too-large': ({ bytes, limit }: { bytes: number; limit: string }) =>
    words(
      `with the resulting config the BFT request has at least ${bytes} bytes, and request_max_bytes allows ${limit}`,
      'make the config smaller, for example by removing old certificates; the limit before the update counts',
    ),
  'request-nearly-too-large': ({ least, most, limit }: { least: number; most: number; limit: string }) =>
    words(
      `with the resulting config the BFT request has about ${least} to ${most} bytes, and request_max_bytes allows ${limit}: the orderer may refuse it`,
      'raise request_max_bytes before the config grows further',
    ),
  'absolute-max-bytes-low': ({ limit }: { limit: number }) =>
    words(
      `absolute_max_bytes is ${limit}: orderers refuse larger transactions`,
      'set it to some megabytes, for example 10485760',
    ),
  'absolute-max-bytes-small': ({ limit, needed }: { limit: number; needed: number }) =>
    words(
      `AbsoluteMaxBytes ${limit} is less than a message with the whole config, about ${needed} bytes: no further config update fits, not even one that raises it`,
      'set AbsoluteMaxBytes to at least twice the size of the config; 10485760 is usual',
    ),
} as const satisfies Readonly<Record<string, (data: never) => FindingWords>>;
