// Stage: the policies of the changed elements (Fabric's common/configtx/update.go, verifyDeltaSet).

import type { Judgement } from '../../policy/judge.js';
import { describeNeed } from '../../describe/policy.js';
import type { Need } from '../../policy/search/need.js';
import type { PolicyNode } from '../../policy/policies.js';
import { oneSignerSet } from '../../policy/search/sets.js';
import { identityWords } from '../../describe/certificate.js';
import type { Facts } from '../facts/gather.js';
import { applyingTo, refused, type Finding } from '../finding.js';

export function authorizationFindings(facts: Facts): Finding[] {
  const { proposal, judgements, missing } = facts;
  const prefix = `${applyingTo(proposal.channel)}error authorizing update: `;
  const needs = new Map(missing.policies.map(({ policy, need }) => [policy, need]));
  return [
    ...unreadable(facts).map((finding) => ({ ...finding, orderer: prefix + finding.orderer })),
    ...judgements
      .filter(({ satisfied }) => !satisfied)
      .map((judgement) => verdictOf(judgement, needs, facts, prefix)),
  ];
}

function unreadable({ signatures }: Facts): Finding[] {
  return signatures.flatMap(({ isReadable }, index) =>
    isReadable
      ? []
      : [
          refused('', {
            id: 'signature-header-undecodable',
            orderer: 'proto: cannot parse invalid wire-format data',
            path: '',
            text: `the header of signature ${index + 1} does not parse; one such header refuses the whole update`,
            todo: 'remove the signature: merge the signed files of the other people again',
          }),
        ],
  );
}

function verdictOf(
  { element, resolution, error }: Judgement,
  needs: ReadonlyMap<PolicyNode, Need>,
  { hasOrder }: Facts,
  prefix: string,
): Finding {
  const { path } = element;
  const modPolicy = element.before?.modPolicy ?? '';
  if (resolution.kind !== 'found')
    return refused(resolution.kind === 'panic' ? '' : `${prefix}error validating DeltaSet: `, {
      id: 'element-policy-missing',
      orderer: error ?? '',
      path,
      text: `the mod_policy ${JSON.stringify(modPolicy)} of the element names no policy, so nobody can change it`,
      todo: 'leave the element as it is; if the policy was removed, add it again where its group can still be changed',
    });
  const need = needs.get(resolution.policy) ?? { kind: 'impossible' };
  const finding = refused(`${prefix}error validating DeltaSet: `, {
    id: 'signatures-missing',
    orderer: error ?? '',
    path,
    text: '',
    todo: '',
  });
  if (need.kind === 'impossible')
    return {
      ...finding,
      id: 'mod-policy-unsatisfiable',
      text: `nobody can satisfy ${resolution.policy.path}, which decides about this element`,
      todo: 'change the policy first, if its own mod_policy can still be satisfied',
    };
  if (hasOrder || need.kind === 'nothing')
    return {
      ...finding,
      id: 'signatures-order',
      severity: 'unsigned',
      text: `the signatures satisfy ${resolution.policy.path} only if they are reordered`,
      todo: 'let configtxlator merge order them: merge the signed files again with --block',
    };
  const count = oneSignerSet(need)?.length ?? 1;
  return {
    ...finding,
    severity: 'unsigned',
    text: `${count} more ${count === 1 ? 'signature' : 'signatures'} needed for ${resolution.policy.path}: ${describeNeed(need, identityWords)}`,
    todo: 'sign with the MSP directory of such an identity: configtxlator sign FILE --msp DIRECTORY',
  };
}
