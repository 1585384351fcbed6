import test from 'ava';
import {
  describeUnknownName,
  isKnownName,
  selectComponents,
  selectFailed,
} from '../../../core/health/selection.js';

const COMPONENTS = ['disk', 'peer0', 'peer0/disk', 'peer01'];
const FAILED = ['disk', 'peer0/ch1/0', 'peer0/disk', 'peer01'].map((component) => ({
  component,
  reason: 'down',
}));

interface Case {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly checked: readonly string[];
  readonly failed: readonly string[];
}

const CASES: readonly Case[] = [
  { checked: COMPONENTS, failed: ['disk', 'peer0/ch1/0', 'peer0/disk', 'peer01'] },
  { include: ['peer0'], checked: ['peer0', 'peer0/disk'], failed: ['peer0/ch1/0', 'peer0/disk'] },
  { include: ['peer0/ch1'], checked: ['peer0'], failed: ['peer0/ch1/0'] },
  { include: ['peer0/ch2'], checked: ['peer0'], failed: [] },
  { include: ['peer0/disk'], checked: ['peer0/disk'], failed: ['peer0/disk'] },
  { include: ['peer'], checked: [], failed: [] },
  { include: ['disk', 'peer01'], checked: ['disk', 'peer01'], failed: ['disk', 'peer01'] },
  { exclude: ['peer0'], checked: ['disk', 'peer01'], failed: ['disk', 'peer01'] },
  { exclude: ['peer0/ch1/0'], checked: COMPONENTS, failed: ['disk', 'peer0/disk', 'peer01'] },
  { include: ['peer0'], exclude: ['peer0/disk'], checked: ['peer0'], failed: ['peer0/ch1/0'] },
];
for (const { include = [], exclude = [], checked, failed } of CASES)
  test(`with include [${include.join(', ')}] and exclude [${exclude.join(', ')}], ${checked.length} of ${COMPONENTS.length} components are checked`, (t) => {
    const selection = { include, exclude };
    t.deepEqual(selectComponents(COMPONENTS, selection), checked);
    t.deepEqual(
      selectFailed(FAILED, COMPONENTS, selection).map(({ component }) => component),
      failed,
    );
  });

test('a component that fails as a whole fails for each of its parts', (t) => {
  const whole = [{ component: 'peer0', reason: 'unreachable' }];
  const failed = (include: string, exclude: readonly string[] = []) =>
    selectFailed(whole, COMPONENTS, { include: [include], exclude });
  t.deepEqual(failed('peer0/docker'), whole);
  t.deepEqual(failed('peer0/docker', ['peer0/docker']), whole);
  t.deepEqual(failed('peer0/disk'), []);
});

const OWNERS: Readonly<Record<string, string | undefined>> = {
  disk: 'disk',
  'disk/a/b': 'disk',
  'peer0/disk/x': 'peer0/disk',
  'peer0/x': 'peer0',
  peer01: 'peer01',
  peer: undefined,
  '': undefined,
};
for (const [name, owner] of Object.entries(OWNERS))
  test(`the name '${name}' is ${owner === undefined ? 'unknown' : `known: it belongs to ${owner}`}`, (t) => {
    t.is(isKnownName(name, COMPONENTS), owner !== undefined);
  });

test('a name that only begins the names of components is known', (t) => {
  t.true(isKnownName('peer0', ['peer0/a', 'peer0/b']));
  t.false(isKnownName('peer', ['peer0/a', 'peer0/b']));
});

test('the message for an unknown name suggests the nearest one or lists all, and is limited', (t) => {
  t.is(describeUnknownName('dosk', COMPONENTS), "unknown component 'dosk'; did you mean disk?");
  t.is(
    describeUnknownName('x'.repeat(5000), COMPONENTS),
    `unknown component '${'x'.repeat(100)}'; expected one of disk, peer0, peer0/disk, peer01`,
  );
  t.is(describeUnknownName('x', []), "unknown component 'x'; there are no components");
});
