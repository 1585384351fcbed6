// The failure in a value that a check threw: its parts come from plugins, so everything in them is checked and limited.

import test from 'ava';
import { AgentError } from '../../../core/contract/index.js';
import { warningAfter } from '../../../core/contract/internal/index.js';
import { failureOf, shortened } from '../../../core/health/failure.js';

/** The first part of a failure with these members of a part. */
const partOf = (members: object) =>
  failureOf({ code: 'CHECKS_FAILED', parts: [{ component: 'a', reason: 'full', ...members }] }).parts?.[0];

for (const [what, members, expected] of [
  ['nothing else', {}, {}],
  ['the severity warning', { severity: 'warning' }, { severity: 'warning' }],
  ['the severity critical', { severity: 'critical' }, {}],
  ['a component that explains it', { follows: 'peer0' }, { follows: 'peer0' }],
  ['an explanation that is no text', { follows: 7 }, {}],
  ['a timeout', { isLate: true }, { isLate: true }],
  ['a timeout in text', { isLate: 'yes' }, {}],
  ['steps that are no list', { steps: 'free space' }, {}],
  ['causes that are no list', { causes: {} }, {}],
  [
    'a long step and an invalid one',
    { steps: [{ text: 'x'.repeat(501), command: 'y'.repeat(501) }, { text: '' }, { text: 7 }] },
    { steps: [{ text: 'x'.repeat(500), command: 'y'.repeat(500) }] },
  ],
  [
    'a step with a command that is no text',
    { steps: [{ text: 'x', command: 7 }] },
    { steps: [{ text: 'x' }] },
  ],
  [
    'six steps',
    { steps: ['1', '2', '3', '4', '5', '6'].map((text) => ({ text })) },
    { steps: ['1', '2', '3', '4', '5'].map((text) => ({ text })) },
  ],
  [
    'a cause with long members',
    {
      causes: [
        { id: 'i'.repeat(257), place: 'p'.repeat(257), use: 'u'.repeat(257), reason: 'r', isMain: true },
      ],
    },
    {
      causes: [
        { id: 'i'.repeat(256), place: 'p'.repeat(256), use: 'u'.repeat(256), reason: 'r', isMain: true },
      ],
    },
  ],
  [
    'a cause with a line break, and without isMain',
    { causes: [{ id: 'i\n', place: 'p', use: 'u', reason: 'r', isMain: 1 }] },
    { causes: [{ id: String.raw`i\n`, place: 'p', use: 'u', reason: 'r', isMain: false }] },
  ],
  [
    'causes without an id, a place or a use',
    {
      causes: [
        { place: 'p', use: 'u' },
        { id: 'i', use: 'u' },
        { id: 'i', place: 'p' },
      ],
    },
    { causes: [] },
  ],
] as const)
  test(`a failed part with ${what}`, (t) => {
    t.deepEqual(partOf(members), { component: 'a', reason: 'full', ...expected });
  });

test('of parts with the same name, also if it was truncated, the first one counts', (t) => {
  const names = ['a', 'a', 'x'.repeat(256), 'x'.repeat(257)];
  const parts = names.map((component, index) => ({ component, reason: String(index) }));
  t.deepEqual(
    failureOf({ code: 'CHECKS_FAILED', parts }).parts?.map(({ reason }) => reason),
    ['0', '2'],
  );
});

for (const [what, thrown, expected] of [
  ['an error', new Error('full'), { reason: 'full', severity: 'critical', parts: undefined }],
  [
    'a timeout',
    new AgentError('PLUGIN_TIMED_OUT', 'timed out'),
    { reason: 'timed out', severity: 'critical', parts: undefined, isLate: true },
  ],
  [
    'a warning that follows a node',
    warningAfter('nearly full', 'peer0'),
    { reason: 'nearly full', severity: 'warning', parts: undefined, follows: 'peer0' },
  ],
  [
    'a warning that follows a number',
    Object.assign(new Error('nearly full'), { code: 'CHECK_WARNING', follows: 7 }),
    { reason: 'nearly full', severity: 'warning', parts: undefined },
  ],
  [
    'an error that was found at 1 ms',
    Object.assign(new Error('full'), { observedAt: 1 }),
    { reason: 'full', severity: 'critical', parts: undefined, observedAt: 1 },
  ],
  [
    'an error that will be found later',
    Object.assign(new Error('full'), { observedAt: Infinity }),
    { reason: 'full', severity: 'critical', parts: undefined },
  ],
  [
    'an error that was found at a time in text',
    Object.assign(new Error('full'), { observedAt: '1' }),
    { reason: 'full', severity: 'critical', parts: undefined },
  ],
] as const)
  test(`the failure in ${what}`, (t) => {
    t.deepEqual(failureOf(thrown), expected);
  });

// The size is the size in the JSON of a response, in which a control character takes six bytes.
for (const [character, most, shown] of [
  ['x', 4096, 4093],
  ['"', 2048, 2046],
  ['\\', 2048, 2046],
  ['\u0001', 682, 682],
  ['<', 682, 682],
  ['\u2028', 682, 682],
  ['\ud800', 682, 682],
  ['ü', 2048, 2046],
  ['€', 1365, 1364],
  ['😀', 1024, 1023],
] as const)
  test(`a reason of ${most} times ${JSON.stringify(character)} is complete in a response, a longer one ends after ${shown}`, (t) => {
    t.is(shortened(character.repeat(most)), character.repeat(most));
    t.is(shortened(character.repeat(most + 1)), `${character.repeat(shown)}…`);
  });
