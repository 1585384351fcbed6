// What organisations and single persons reach in small channels: the policies that they satisfy, and the updates that lead there.

import test from 'ava';
import { CommonMSPPrincipal } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import { makeGroup, makePolicy } from '../../../translator/channel/index.js';
import { createControlModel, type ControlModel } from '../../../translator/control/model.js';
import { reach, type Party, type Reached } from '../../../translator/control/reach.js';
import { isAtLeastAsStrong } from '../../../translator/control/persons.js';
import { writeSerializedIdentity, type Principal } from '../../../translator/msp/index.js';
import {
  writePrincipal,
  writeSignaturePolicy,
  type PolicyNode,
  type SignatureRule,
} from '../../../translator/policy/index.js';
import { decodePem } from '../../../core/common/certificates/pem.js';
import { ChannelState } from '../../../translator/state/index.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { organization, smallGroup, smallState, usualChannel } from '../../helpers/small-channel.js';

type RoleName = Extract<Principal, { kind: 'role' }>['role'];
const role = (mspid: string, name: RoleName): Principal => ({ kind: 'role', mspid, role: name });
const unit = (mspid: string, name = 'u', certifiers = 1): Principal => ({
  kind: 'ou',
  mspid,
  unit: name,
  certifiersIdentifier: Uint8Array.of(certifiers),
});
const both = (...principals: readonly Principal[]): Principal => ({ kind: 'combined', principals });
const NOMINAL: Principal = { kind: 'anonymity', type: 'nominal' };
const ANONYMOUS: Principal = { kind: 'anonymity', type: 'anonymous' };
const certificate = (organizationalUnit: string): Uint8Array =>
  decodePem(makeCertificate({ commonName: 'x', unit: organizationalUnit }).pem)!.bytes;
const [ADMIN, OTHER] = [certificate('admin'), certificate('admin')];
const identity = (mspid: string, of = ADMIN): Principal => ({
  kind: 'identity',
  identity: writeSerializedIdentity(mspid, of),
});
const UNREADABLE: Principal = { kind: 'identity', identity: Uint8Array.of(0xff) };

const UNKNOWN: Principal = { kind: 'unknown', classification: 9 };
const bytesOf = (principal: Principal): Uint8Array =>
  principal.kind === 'unknown'
    ? writeMessage(CommonMSPPrincipal, { principalClassification: principal.classification })
    : writePrincipal(principal);

const signedBy = (index: number): SignatureRule => ({ kind: 'signedBy', index });
const outOf = (n: number, ...rules: readonly SignatureRule[]): SignatureRule => ({ kind: 'outOf', n, rules });

/** The application of A and B, in which A can change the MSP of B, with the policy `Tested`. */
async function modelWith(rule: SignatureRule, principals: readonly Principal[]): Promise<ControlModel> {
  const application = smallGroup({
    policies: { Admins: 'MAJORITY Admins' },
    groups: {
      A: organization('A'),
      B: { ...organization('B'), mspModPolicy: '/Channel/Application/A/Admins' },
      C: organization('C'),
      // One or two of its admins decide about nothing.
      P: { msp: 'P', policies: { Admins: "OutOf(3, 'P.admin', 'P.admin', 'P.admin')" } },
    },
  });
  const value = writeSignaturePolicy({
    version: 0,
    rule,
    identities: principals.map((principal) => ({ principal, bytes: bytesOf(principal) })),
  });
  const policies = new Map(application.policies).set(
    'Tested',
    makePolicy({ modPolicy: '/Channel/None', policy: { type: 1, value } }),
  );
  const channelGroup = makeGroup({
    modPolicy: '/Channel/None',
    groups: new Map([['Application', makeGroup({ ...application, modPolicy: '/Channel/None', policies })]]),
  });
  return createControlModel(new ChannelState({ sequence: 0n, channelGroup }));
}

const TESTED = '/Channel/Application/Tested';

async function reached(
  actors: readonly Party[],
  rule: SignatureRule,
  ...principals: readonly Principal[]
): Promise<{ readonly isSatisfied: boolean; readonly found: Reached; readonly model: ControlModel }> {
  const model = await modelWith(rule, principals);
  const found = reach(model, actors, { left: 1_000_000 });
  return { isSatisfied: found.policies[model.policyAt.get(TESTED)!] === 1, found, model };
}

const party = (mspid: string): Party => ({ kind: 'organization', mspid });
const person = (principal: Principal): Party => ({ kind: 'person', principal });

const PARTIES: readonly (readonly [what: string, actor: string, principal: Principal, expected: boolean])[] =
  [
    ['a role of it', 'B', role('B', 'peer'), true],
    ['a role of another one', 'B', role('C', 'peer'), false],
    ['a role of an MSP that it can change', 'A', role('B', 'peer'), true],
    ['a unit of it', 'B', unit('B'), true],
    ['a unit of an MSP that it can change, whose CA it does not have', 'A', unit('B'), false],
    ['an identity of it', 'B', identity('B'), true],
    ['an identity of an MSP that it can change, whose key it does not have', 'A', identity('B'), false],
    ['an anonymous identity', 'B', ANONYMOUS, false],
    ['any identity with a name', 'B', NOMINAL, true],
    ['an unknown principal', 'B', UNKNOWN, false],
    ['two roles at once', 'B', both(role('B', 'peer'), unit('B')), true],
    ['roles of two MSPs at once', 'B', both(role('B', 'peer'), role('C', 'peer')), false],
    ['a combination of nothing', 'B', both(), false],
  ];
for (const [what, actor, principal, expected] of PARTIES)
  test(`an organisation ${expected ? 'has' : 'does not have'} identities for ${what}`, async (t) => {
    // The policy names the organisation in any case, so that it is evaluated.
    const found = await reached([party(actor)], outOf(1, signedBy(0)), principal, role(actor, 'orderer'));
    t.is(found.isSatisfied, expected);
  });

const ADMIN_OF_P = role('P', 'admin');
const PERSONS: readonly (readonly [
  who: string,
  one: Principal,
  what: string,
  other: Principal,
  expected: boolean,
])[] = [
  ['an admin', ADMIN_OF_P, 'an admin', ADMIN_OF_P, true],
  ['an admin', ADMIN_OF_P, 'a member', role('P', 'member'), true],
  ['an admin', ADMIN_OF_P, 'a peer', role('P', 'peer'), false],
  ['an admin', ADMIN_OF_P, 'an admin of another MSP', role('C', 'admin'), false],
  ['an admin', ADMIN_OF_P, 'a member of another MSP', role('C', 'member'), false],
  ['an admin', ADMIN_OF_P, 'anybody with a name', NOMINAL, true],
  ['an admin', ADMIN_OF_P, 'an anonymous identity', ANONYMOUS, false],
  ['an admin', ADMIN_OF_P, 'a unit', unit('P'), false],
  ['an admin', ADMIN_OF_P, 'an identity', identity('P'), false],
  ['an admin', ADMIN_OF_P, 'an admin and member', both(ADMIN_OF_P, role('P', 'member')), true],
  ['an admin', ADMIN_OF_P, 'an admin and peer', both(ADMIN_OF_P, role('P', 'peer')), false],
  ['an admin', ADMIN_OF_P, 'an unknown principal', UNKNOWN, false],
  ['the owner of a certificate', identity('P'), 'an unknown principal', UNKNOWN, false],
  ['the owner of a certificate', identity('P'), 'anybody with a name', NOMINAL, true],
  ['the owner of a certificate', identity('P'), 'an anonymous identity', ANONYMOUS, false],
  ['an admin', ADMIN_OF_P, 'a combination of nothing', both(), false],
  ['somebody in a unit', unit('P'), 'a member', role('P', 'member'), true],
  ['somebody in a unit', unit('P'), 'the same unit', unit('P'), true],
  ['somebody in a unit', unit('P'), 'another unit', unit('P', 'v'), false],
  ['somebody in a unit', unit('P'), 'the unit of another CA', unit('P', 'u', 2), false],
  ['somebody in a unit', unit('P'), 'the unit of another MSP', unit('C'), false],
  ['a peer in a unit', both(role('P', 'peer'), unit('P')), 'a peer', role('P', 'peer'), true],
  ['a peer in a unit', both(role('P', 'peer'), unit('P')), 'an admin', ADMIN_OF_P, false],
  ['the owner of a certificate', identity('P'), 'the same certificate', identity('P'), true],
  ['the owner of a certificate', identity('P'), 'another certificate', identity('P', OTHER), false],
  ['the owner of a certificate', identity('P'), 'the certificate in another MSP', identity('C'), false],
  ['the owner of a certificate of admins', identity('P'), 'an admin', ADMIN_OF_P, true],
  ['the owner of a certificate of admins', identity('P'), 'a peer', role('P', 'peer'), false],
  ['the owner of a certificate of admins', identity('P'), 'a member', role('P', 'member'), true],
  [
    'the owner of a certificate of admins',
    identity('P'),
    'an admin of another MSP',
    role('C', 'admin'),
    false,
  ],
  ['the owner of a certificate of admins', identity('P'), 'its unit', unit('P', 'admin'), true],
  ['the owner of a certificate of admins', identity('P'), 'another unit', unit('P', 'peer'), false],
  ['the owner of an identity that cannot be read', UNREADABLE, 'a member', role('P', 'member'), false],
];
for (const [who, one, what, other, expected] of PERSONS)
  test(`${who} of P ${expected ? 'is' : 'is not'} ${what} for a policy`, async (t) => {
    const named = [role('P', 'orderer'), role('C', 'orderer')];
    t.is((await reached([person(one)], outOf(1, signedBy(0)), other, ...named)).isSatisfied, expected);
  });

test('each person counts once, and one that a failed gate used counts for the next gate', async (t) => {
  const [admin, stranger] = [ADMIN_OF_P, role('C', 'admin')];
  const twice = outOf(2, signedBy(0), signedBy(0));
  const found = async (count: number, rule: SignatureRule): Promise<boolean> =>
    (
      await reached(
        Array.from({ length: count }, () => person(admin)),
        rule,
        admin,
        stranger,
      )
    ).isSatisfied;
  t.deepEqual([await found(1, twice), await found(2, twice)], [false, true]);
  // Fabric releases the identities of a gate that is not satisfied (common/cauthdsl/cauthdsl.go).
  const failing = outOf(2, signedBy(0), signedBy(1));
  t.true(await found(1, outOf(1, failing, signedBy(0))));
  t.false(await found(1, outOf(2, signedBy(0), outOf(1, failing, signedBy(0)))));
  // A principal that the policy does not have.
  t.false(await found(1, outOf(1, signedBy(7))));
});

test('the steps to a policy name the change of each MSP that is needed, once', async (t) => {
  const rule = outOf(2, signedBy(0), signedBy(1));
  const { found, model, isSatisfied } = await reached(
    [party('A')],
    rule,
    role('B', 'admin'),
    role('A', 'admin'),
  );
  t.true(isSatisfied);
  t.deepEqual(found.stepsToPolicy(model.policyAt.get(TESTED)!), [
    { element: '/Channel/Application/B/MSP', policy: '/Channel/Application/A/Admins' },
  ]);
  const own = model.elementAt.get('[Policy] /Channel/Application/A/Admins')!;
  // Its group comes first, which it can remove and add again.
  t.deepEqual(found.stepsTo(own), [
    { element: '/Channel/Application/A', policy: '/Channel/Application/A/Admins' },
  ]);
});

test('of a majority the steps lead to as many policies as it needs', async (t) => {
  const model = await createControlModel(smallState(usualChannel('A', 'B', 'C', 'D')));
  const found = reach(model, [party('A'), party('B'), party('C'), party('D')], { left: 1_000_000 });
  const at = model.elementAt.get('[Group]  /Channel/Application')!;
  t.deepEqual(found.stepsTo(at), [
    { element: '/Channel/Application', policy: '/Channel/Application/Admins' },
  ]);
});

test('granted elements and policies are reached without signatures, with what follows from them', async (t) => {
  const model = await createControlModel(smallState(usualChannel('A', 'B', 'C')));
  const reachedBy = (kind: 'element' | 'policy', key: string): readonly string[] => {
    const at = (kind === 'element' ? model.elementAt : model.policyAt).get(key)!;
    const { elements } = reach(model, [], { left: 1_000_000 }, [{ kind, at }]);
    return model.elements.filter((_, index) => elements[index] === 1).map(({ path }) => path);
  };
  t.deepEqual(reachedBy('element', '[Value]  /Channel/Orderer/BatchSize'), ['/Channel/Orderer/BatchSize']);
  t.deepEqual(
    reachedBy('policy', '/Channel/Application/A/Admins').every((path) =>
      path.startsWith('/Channel/Application/A'),
    ),
    true,
  );
  t.true(reachedBy('policy', '/Channel/Application/A/Admins').length > 3);
  t.true(reachedBy('policy', '/Channel/Orderer/Admins').includes('/Channel/Orderer/BatchSize'));
});

test('a search whose work ends reaches no more, and says so with work below 0', async (t) => {
  const model = await createControlModel(smallState(usualChannel('A', 'B', 'C')));
  const work = { left: 3 };
  const { elements } = reach(model, [party('A'), party('B')], work);
  t.true(work.left < 0);
  t.is(elements[model.elementAt.get('[Group]  /Channel/Application')!], 0);
});

/** The policy Admins of an application with these organisations. */
const metaOf = (rule: string, ...msps: readonly string[]): PolicyNode => {
  const state = smallState({
    policies: { Admins: 'ANY Admins' },
    groups: {
      Application: {
        policies: { Tested: rule },
        groups: Object.fromEntries(msps.map((msp) => [msp, organization(msp)])),
      },
    },
  });
  return state.policies.root.groups.get('Application')!.policies.get('Tested')!;
};

for (const [from, to, expected] of [
  [metaOf('MAJORITY Admins', 'A', 'B', 'C'), metaOf('ALL Admins', 'A', 'B', 'C'), true],
  [metaOf('MAJORITY Admins', 'A', 'B', 'C'), metaOf('MAJORITY Admins', 'A', 'B', 'C'), true],
  [metaOf('ALL Admins', 'A', 'B', 'C'), metaOf('MAJORITY Admins', 'A', 'B', 'C'), false],
  [metaOf('MAJORITY Admins', 'A', 'B', 'C'), metaOf('MAJORITY Readers', 'A', 'B', 'C'), false],
  [metaOf('ALL Admins', 'A', 'B'), metaOf('ALL Admins', 'A', 'B', 'C'), false],
  [metaOf("OR('A.admin')", 'A'), metaOf('ALL Admins', 'A'), false],
  [metaOf('ALL Admins', 'A'), metaOf("OR('A.admin')", 'A'), false],
  [undefined, metaOf('ALL Admins', 'A'), false],
] as const) {
  const textOf = (node: PolicyNode | undefined): string =>
    node === undefined
      ? 'nothing'
      : node.kind === 'signature'
        ? 'a signature policy'
        : `${node.threshold} of ${node.groups.length} ${node.subPolicy}`;
  test(`${textOf(to)} after ${textOf(from)} is ${expected ? 'at least as strong' : 'not known to be as strong'}`, (t) => {
    t.is(isAtLeastAsStrong(from, to), expected);
  });
}
