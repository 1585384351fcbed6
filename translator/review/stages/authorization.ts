// Stage: the policies of the changed elements (Fabric's common/configtx/update.go, verifyDeltaSet).

import { type Judgement, type Need, type PolicyNode, oneSignerSet } from '../../policy/index.js';
import { describeNeed, identityWords, type Finding } from '../../documents/index.js';
import type { Facts } from '../facts/gather.js';
import { applying, refused } from '../finding.js';

export function authorizationFindings(facts: Facts): Finding[] {
  const { proposal, judgements, missing } = facts;
  const prefix = `${applying(proposal)}error authorizing update: `;
  const needs = new Map(missing.policies.map(({ policy, need }) => [policy, need]));
  return [
    ...unreadable(facts).map((finding) => ({ ...finding, orderer: prefix + finding.orderer })),
    ...judgements
      .filter(({ satisfied }) => !satisfied)
      .map((judgement) => findingOf(judgement, needs, facts, prefix)),
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
            data: { signature: index + 1 },
          }),
        ],
  );
}

function findingOf(
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
      data: { modPolicy },
    });
  const need = needs.get(resolution.policy) ?? { kind: 'impossible' };
  const start = `${prefix}error validating DeltaSet: `;
  const policy = resolution.policy.path;
  const common = { orderer: error ?? '', path };
  if (need.kind === 'impossible')
    return refused(start, { ...common, id: 'mod-policy-unsatisfiable', data: { policy } });
  if (hasOrder || need.kind === 'nothing')
    return refused(start, { ...common, id: 'signatures-order', data: { policy } }, 'unsigned');
  const data = {
    policy,
    count: oneSignerSet(need)?.length ?? 1,
    signers: describeNeed(need, identityWords),
  };
  return refused(start, { ...common, id: 'signatures-missing', data }, 'unsigned');
}
