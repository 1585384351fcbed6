// The signatures on the update: whether they satisfy the policies of the changed elements (Fabric's common/configtx/update.go,
// verifyDeltaSet), signatures that do not count, and signers that do not count after the update.

import { day, describeNeed, identityWords, quoted, words } from '../documents/index.js';
import { type Judgement, type Need, type PolicyNode, oneSignerSet } from '../policy/index.js';
import type { Facts } from './facts/gather.js';
import { applying } from './facts/proposal.js';
import { findCutOff, nameOf } from './facts/signers.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

const elementPolicyMissing = defineRule({
  id: 'element-policy-missing',
  severity: 'refused',
  meaning: 'the mod_policy of a changed element names no policy',
  words: ({ modPolicy }: { modPolicy: string }) =>
    words(
      `the mod_policy ${quoted(modPolicy)} of the element names no policy, so nobody can change it`,
      'leave the element as it is; if the policy was removed, add it again where its group can still be changed',
    ),
});

const modPolicyUnsatisfiable = defineRule({
  id: 'mod-policy-unsatisfiable',
  severity: 'refused',
  meaning: 'nobody can satisfy the policy that decides about a changed element',
  words: ({ policy }: { policy: string }) =>
    words(
      `nobody can satisfy ${policy}, which decides about this element`,
      'change the policy first, if its own mod_policy can still be satisfied',
    ),
});

const signatureHeaderUndecodable = defineRule({
  id: 'signature-header-undecodable',
  severity: 'refused',
  meaning: 'the header of a signature cannot be decoded',
  words: ({ signature }: { signature: number }) =>
    words(
      `the header of signature ${signature} does not parse; one such header refuses the whole update`,
      'remove the signature: merge the signed files of the other users again',
    ),
});

const signaturesMissing = defineRule({
  id: 'signatures-missing',
  severity: 'unsigned',
  next: ({ missing: { need, policies } }) => {
    const who = describeNeed(need, identityWords);
    return {
      do: 'sign',
      who,
      policies: policies.filter((each) => each.need.kind !== 'nothing').map(({ policy }) => policy.path),
      text: `collect the signatures of ${who} with configtxlator sign`,
    };
  },
  meaning: 'a policy needs further signatures',
  words: ({ policy, count, signers }: { policy: string; count: number; signers: string }) =>
    words(
      `${count} more ${count === 1 ? 'signature' : 'signatures'} needed for ${policy}: ${signers}`,
      'sign with the MSP directory of such an identity: configtxlator sign FILE --msp DIRECTORY',
    ),
});

const signaturesOrder = defineRule({
  id: 'signatures-order',
  severity: 'unsigned',
  next: () => ({ do: 'merge', text: 'merge the signed files with configtxlator merge --block' }),
  meaning: 'the signatures satisfy a policy only if they are reordered',
  words: ({ policy }: { policy: string }) =>
    words(
      `the signatures satisfy ${policy} only if they are reordered`,
      'let configtxlator merge order them: merge the signed files again with --block',
    ),
});

const signatureIgnored = defineRule({
  id: 'signature-ignored',
  severity: 'warning',
  meaning: 'orderers ignore a signature',
  words: ({ signer, reason }: { signer: string; reason: string }) =>
    words(
      `orderers ignore the signature of ${signer}: ${reason}`,
      'let this person sign this update again, with an identity of an organisation of the channel',
      `orderers ignore the signature of ${signer}`,
    ),
});

const signatureDuplicate = defineRule({
  id: 'signature-duplicate',
  severity: 'warning',
  meaning: 'a signer has signed more than once',
  words: ({ signer }: { signer: string }) =>
    words(
      `${signer} has signed more than once; one signature counts`,
      'merge the signed files with configtxlator merge, which drops duplicates',
    ),
});

const signerExpired = defineRule({
  id: 'signer-expired',
  severity: 'warning',
  meaning: 'the certificate of a signer has expired, but the signature counts',
  words: ({ signer, notAfter }: { signer: string; notAfter: string }) =>
    words(
      `the certificate of ${signer} expired on ${day(notAfter)}, but the signature counts: orderers check only the expiry of the submitter`,
      'check that this person may still sign; renew the certificate',
    ),
});

const signerCutOff = defineRule({
  id: 'signer-cut-off',
  severity: 'danger',
  meaning: 'a signer does not count after the update',
  words: ({ signer, reason }: { signer: string; reason: string }) =>
    words(
      `${signer} does not count after this update: ${reason}`,
      'check that another admin of this organisation can sign',
    ),
});

/** The policies of the changed elements. One signature header that does not parse refuses the whole update. */
export const authorization = defineCheck({
  needs: 'update',
  rules: [
    signatureHeaderUndecodable,
    elementPolicyMissing,
    modPolicyUnsatisfiable,
    signaturesMissing,
    signaturesOrder,
  ],
  find(facts) {
    const { judgements, missing, signatures } = facts;
    const prefix = `${applying(facts)}error authorizing update: `;
    const needs = new Map(missing.policies.map(({ policy, need }) => [policy, need]));
    const text = `${prefix}proto: cannot parse invalid wire-format data`;
    return [
      ...signatures.flatMap(({ isReadable }, index) =>
        isReadable ? [] : [signatureHeaderUndecodable.refused(text, '', { signature: index + 1 })],
      ),
      ...judgements
        .filter(({ satisfied }) => !satisfied)
        .map((judgement) => notSatisfied(judgement, needs, facts, `${prefix}error validating DeltaSet: `)),
    ];
  },
});

function notSatisfied(
  { element: { path, before }, resolution, error = '' }: Judgement,
  needs: ReadonlyMap<PolicyNode, Need>,
  { hasOrder }: Facts,
  prefix: string,
): RawFinding {
  const modPolicy = before?.modPolicy ?? '';
  const text = prefix + error;
  if (resolution.kind !== 'found')
    return elementPolicyMissing.refused(resolution.kind === 'panic' ? error : text, path, { modPolicy });
  const need = needs.get(resolution.policy) ?? { kind: 'impossible' };
  const policy = resolution.policy.path;
  if (need.kind === 'impossible') return modPolicyUnsatisfiable.refused(text, path, { policy });
  if (hasOrder || need.kind === 'nothing') return signaturesOrder.refused(text, path, { policy });
  return signaturesMissing.refused(text, path, {
    policy,
    count: oneSignerSet(need)?.length ?? 1,
    signers: describeNeed(need, identityWords),
  });
}

/** Signatures that do not count, or count although something is wrong with them. */
export const signatures = defineCheck({
  needs: 'update',
  rules: [signatureIgnored, signatureDuplicate, signerExpired],
  find({ signatures: all, countsFor, after: { now } }) {
    const seen = new Set<string>();
    return all.flatMap((signature, index) => {
      const { identity, isReadable, notAfter, problem } = signature;
      const signer = nameOf(signature, index);
      // `peer channel update` adds the assumed one, also for someone who has signed.
      if (!isReadable || signature.isAssumed === true) return [];
      if (problem !== undefined || identity === undefined)
        return [signatureIgnored.at('', { signer, reason: problem ?? 'the signer is unknown' })];
      const key = identity.mspid + identity.id;
      if (seen.has(key)) return [signatureDuplicate.at('', { signer })];
      seen.add(key);
      if (countsFor[index]!.length === 0 || notAfter === undefined || notAfter >= now) return [];
      return [signerExpired.at('', { signer, notAfter: notAfter.toISOString() })];
    });
  },
});

/** Signers who do not count after the update. */
export const cutOff = defineCheck({
  needs: 'update',
  rules: [signerCutOff],
  find: async ({ signatures: all, submitter, after }) =>
    (await findCutOff([...all, submitter], after)).map(({ who, path, reason }) =>
      signerCutOff.at(path, { signer: who, reason }),
    ),
});
