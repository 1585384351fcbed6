// What people do with an update, for each state of its review.

import test from 'ava';
import type { Finding, Review } from '../../../translator/review/index.js';
import { fileNameOf, yourPart, type Person, type Standing } from '../../../translator/page/your-part.js';

const NAMES = new Map([
  ['Org1MSP', 'Org1'],
  ['Org2MSP', 'Org2'],
  ['OrdererMSP', 'OrdererOrg'],
]);

const finding = (severity: Finding['severity']): Finding =>
  ({ id: 'x', severity, path: '', text: '', todo: '' }) as unknown as Finding;

interface Facts {
  readonly severity?: Finding['severity'];
  readonly isComplete?: boolean;
  /** The signers that are missing. */
  readonly missing?: readonly string[];
  readonly people?: readonly Person[];
  readonly hasOrganization?: boolean;
  readonly isNew?: boolean;
}

const partOf = ({
  severity,
  isComplete = false,
  missing = isComplete ? [] : ['Org2MSP.admin'],
  people = [],
  hasOrganization = false,
  isNew = false,
}: Facts) =>
  yourPart({
    review: {
      findings: severity === undefined ? [] : [finding(severity)],
      policies: [{ satisfied: isComplete }],
      steps: [
        ...missing.map((who) => ({ do: 'sign', who, policies: [], text: '' })),
        { do: 'submit', text: '' },
      ],
    } as unknown as Review,
    file: 'add-org3.pb',
    people,
    organizations: NAMES,
    hasOrganization,
    isNew,
  });

const you = (standing: Standing | undefined, title = 'Org1 admin'): Person => ({
  folder: title === 'Org1 admin' ? 'me' : title,
  title,
  standing,
});

for (const [what, facts, state, text, primary, others] of [
  [
    'it needs your signature',
    { severity: 'unsigned', people: [you('counts')] },
    'sign',
    'Your signature is needed',
    'Sign as Org1 admin',
    [],
  ],
  [
    'it needs the signatures of two people on the page',
    {
      severity: 'unsigned',
      people: [you('signed', 'Org3 admin'), you('counts'), you('counts', 'Org2 admin')],
    },
    'sign',
    'Your signature is needed',
    'Sign as Org1 admin',
    ['Sign as Org2 admin'],
  ],
  [
    'two people on the page signed, and two others are missing',
    {
      severity: 'unsigned',
      missing: ['Org2MSP.admin', 'OrdererMSP.admin'],
      people: [you('signed'), you('signed', 'Org3 admin')],
      isNew: true,
    },
    'signed',
    'Signed. Next: Org2 admin; OrdererOrg admin',
    'Download add-org3.pb',
    [],
  ],
  [
    'you signed, and it is unknown who else must',
    { severity: 'unsigned', missing: [], people: [you('signed'), you('idle', 'Org3 admin')], isNew: true },
    'signed',
    'You signed. Send it on',
    'Download add-org3.pb',
    [],
  ],
  [
    'your signature would not count, and it is unknown whose would',
    { severity: 'unsigned', missing: [], people: [you(undefined, 'User1@org3'), you('idle')] },
    'idle',
    'Your signature is not needed',
    undefined,
    [],
  ],
  [
    'nobody has an MSP folder, and it is unknown who must sign',
    { severity: 'unsigned', missing: [] },
    'nobody',
    'It needs signatures',
    'Choose your MSP folder to sign',
    [],
  ],
  [
    'it is dangerous, and nobody has an MSP folder',
    { severity: 'danger' },
    'dangerous',
    'Do not sign',
    undefined,
    [],
  ],
  [
    'your signature would not count',
    { severity: 'unsigned', people: [you('idle')] },
    'idle',
    'Your signature is not needed: Org2 admin decides',
    undefined,
    [],
  ],
  [
    'you signed',
    { severity: 'unsigned', people: [you('signed')], isNew: true },
    'signed',
    'You signed. Next: Org2 admin',
    'Download add-org3.pb',
    [],
  ],
  [
    'all signatures are there',
    { isComplete: true, people: [you('signed')], isNew: true },
    'complete',
    'Complete: it has all signatures',
    'Download add-org3.pb',
    [],
  ],
  [
    'all signatures are there, and none is yours',
    { isComplete: true, people: [you('idle')] },
    'complete',
    'Complete: it has all signatures',
    undefined,
    [],
  ],
  [
    'the signatures of several files are all there',
    { isComplete: true, isNew: true },
    'complete',
    'Complete: it has all signatures',
    'Download add-org3.pb',
    [],
  ],
  [
    'it has signatures of several files, and yours would not count',
    { severity: 'unsigned', people: [you('idle')], isNew: true },
    'idle',
    'Your signature is not needed: Org2 admin decides',
    'Download add-org3.pb',
    [],
  ],
  [
    'it is dangerous',
    { severity: 'danger', people: [you('counts')] },
    'dangerous',
    'Do not sign',
    undefined,
    ['Sign as Org1 admin anyway'],
  ],
  [
    'it is dangerous, and has all signatures',
    { severity: 'danger', isComplete: true, people: [you('signed')] },
    'dangerous',
    'It has all signatures: do not submit it',
    undefined,
    [],
  ],
  [
    'orderers would refuse it',
    { severity: 'refused', people: [you('counts')] },
    'refused',
    'Send it back to its author',
    undefined,
    [],
  ],
  [
    'nobody has an MSP folder',
    { severity: 'unsigned' },
    'nobody',
    'It needs signatures: Org2 admin',
    'Choose your MSP folder to sign',
    [],
  ],
  [
    'you belong to no organisation',
    { severity: 'unsigned', people: [you(undefined, 'User1@org3')] },
    'stranger',
    'User1@org3 belongs to no organisation of this channel: no organisation has its CA',
    undefined,
    [],
  ],
  [
    'you belong to no organisation, and its MSP folder is there',
    { severity: 'unsigned', people: [you(undefined, 'User1@org3')], hasOrganization: true },
    'stranger',
    'User1@org3 belongs to no organisation of this channel: no organisation has its CA',
    'Add this organisation…',
    [],
  ],
  [
    'you belong to no organisation, and the update adds yours',
    {
      severity: 'unsigned',
      people: [{ ...you(undefined, 'Admin@org3'), future: 'an admin of Org3' }],
      hasOrganization: true,
    },
    'stranger',
    'With this update you will be an admin of Org3',
    undefined,
    [],
  ],
  [
    'orderers would refuse what you made',
    { severity: 'refused', people: [you('counts')], isNew: true },
    'refused',
    'Send it back to its author',
    undefined,
    ['Download add-org3.pb'],
  ],
] as const)
  test(`your part has at most one button that is filled: ${what}`, (t) => {
    const part = partOf(facts);
    t.deepEqual(
      [part.state, part.text, part.primary?.label, part.others.map(({ label }) => label)],
      [state, text, primary, [...others]],
    );
    const isIdle = primary === undefined && ['idle', 'complete', 'stranger'].includes(state);
    t.is(part.note, isIdle ? 'Nothing for you to do' : '');
    t.is(part.canSubmit, state === 'complete');
    t.is(
      part.needsConsent,
      others.some((label) => label.endsWith('anyway')),
    );
  });

test('a signature that does not count is not in the name of the file', (t) => {
  const signatures = [
    { mspid: 'Org1MSP', countsFor: [] },
    { mspid: 'Org2MSP', countsFor: ['/Channel/Admins'] },
  ];
  t.is(fileNameOf('a.pb', { signatures } as unknown as Review, NAMES), 'a.signed-Org2.pb');
});

for (const [name, signers, expected] of [
  ['update.BLOCK', [], 'update.pb'],
  ['update.bin', [], 'update.pb'],
  ['update.txt', [], 'update.txt.pb'],
  ['add-org3.pb', [], 'add-org3.pb'],
  ['add-org3.pb', ['Org1MSP'], 'add-org3.signed-Org1.pb'],
  ['add-org3.signed-Org1.pb', ['Org1MSP', 'Org2MSP'], 'add-org3.signed-Org1-Org2.pb'],
  ['folder/update.json', ['Org1MSP', 'Org1MSP'], 'update.signed-Org1.pb'],
  ['add-org3.signed1.signed-Org1-Org2.pb', ['Org1MSP', 'Org2MSP'], 'add-org3.signed-Org1-Org2.pb'],
  ['add-org3.signed-Org1.signed-Org2.pb', ['Org2MSP'], 'add-org3.signed-Org2.pb'],
  ['add-org3.signed-Org1 (1).pb', ['Org1MSP'], 'add-org3.signed-Org1.pb'],
  ['add-org3.signed2.pb', ['Org1MSP'], 'add-org3.signed-Org1.pb'],
  ['signed-by-all.pb', ['Org1MSP'], 'signed-by-all.signed-Org1.pb'],
  ['a/../b c.pb', ['Ünknown/..'], 'b_c.signed-_nknown_...pb'],
] as const)
  test(`the file of ${name}, signed by ${signers.join(', ') || 'nobody'}, is ${expected}`, (t) => {
    const signatures = signers.map((mspid) => ({ mspid, countsFor: ['/Channel/Admins'] }));
    t.is(fileNameOf(name, { signatures } as unknown as Review, NAMES), expected);
  });
