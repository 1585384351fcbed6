// Versions of Fabric and their rules.

import test from 'ava';
import { rulesOf } from '../../../translator/msp/index.js';
import { releasesText } from '../../../translator/msp/releases.js';

const textOf = (versions: readonly string[]): readonly string[] =>
  rulesOf(versions).map(
    ({ go, fabric, bft, releases, versions: of }) =>
      `Go ${go}, Fabric ${fabric}, BFT ${bft}: ${releasesText(releases)}${of.length === 0 ? '' : ` of ${of.join(' and ')}`}`,
  );

const CASES: readonly (readonly [versions: readonly string[], rules: readonly string[]])[] = [
  [
    [],
    [
      'Go 1.26, Fabric 3.0, BFT 3.1.2: 2.5.15 to 2.5.16, 3.1.4 to 3.1.5',
      'Go 1.25, Fabric 3.0, BFT 3.1.2: 2.5.14, 3.1.2 to 3.1.3',
      'Go 1.24, Fabric 3.0, BFT 3.1.2: 2.5.13',
      'Go 1.24, Fabric 3.0, BFT 3.1.1: 3.1.1',
      'Go 1.24, Fabric 3.0, BFT 3.0: 3.1.0',
      'Go 1.23, Fabric 3.0, BFT 3.1.2: 2.5.10 to 2.5.12',
      'Go 1.23, Fabric 3.0, BFT 3.0: 3.0',
      'Go 1.22, Fabric 3.0, BFT 3.1.2: 2.5.0 to 2.5.9',
    ],
  ],
  [['3.0.0'], ['Go 1.23, Fabric 3.0, BFT 3.0: 3.0 of 3.0.0']],
  [['2.5.12'], ['Go 1.23, Fabric 2.5, BFT 3.1.2: 2.5.12 of 2.5.12']],
  [
    ['3.1', '2.5.16', '3.1.5'],
    [
      'Go 1.26, Fabric 3.0, BFT 3.1.2: 3.1.4 to 3.1.5 of 3.1 and 3.1.5',
      'Go 1.26, Fabric 2.5, BFT 3.1.2: 2.5.16 of 2.5.16',
      'Go 1.25, Fabric 3.0, BFT 3.1.2: 3.1.2 to 3.1.3 of 3.1',
      'Go 1.24, Fabric 3.0, BFT 3.1.1: 3.1.1 of 3.1',
      'Go 1.24, Fabric 3.0, BFT 3.0: 3.1.0 of 3.1',
    ],
  ],
];

for (const [versions, rules] of CASES)
  test(`the rules of ${versions.length === 0 ? 'unknown versions' : versions.join(', ')}`, (t) => {
    t.deepEqual(textOf(versions), rules);
  });

test('a single version as a string, as callers without types pass it, is refused', (t) => {
  t.throws(() => rulesOf('3.1.5' as never), {
    code: 'BAD_VERSION',
    message: 'the versions of Fabric must be a list, for example ["3.1.5"]; found "3.1.5"',
  });
});

for (const version of ['', '2', '2.4', '2.5.17', '3.0.1', '3.1.6', '3.1.05', ' 3.1', '__proto__'])
  test(`the version ${JSON.stringify(version)} is unknown`, (t) => {
    t.throws(() => rulesOf([version]), { code: 'BAD_VERSION' });
  });
