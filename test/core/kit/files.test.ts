// Files that options name.

import { join } from 'node:path';
import test from 'ava';
import { FileNotResponding } from '../../../core/common/files/file-call.js';
import { describeUnreadable, isForbidden, readSecret, shortNames } from '../../../core/kit/files.js';
import { temporaryFolder } from '../../helpers/folder.js';

for (const [what, content, found] of [
  ['a line', 'geheim\n', 'geheim'],
  ['16 KiB', 'x'.repeat(16 * 1024), 'x'.repeat(16 * 1024)],
  ['all visible characters', ' !~ ', '!~'],
] as const)
  test(`a secret of ${what} is read without the line end`, async (t) => {
    t.is(await readSecret(join(temporaryFolder(t, { s: content }), 's'), 'options.x'), found);
  });

for (const [what, content, problem] of [
  ['nothing', ' \n', 'it is empty'],
  ['two lines', 'a\nb', 'it has more than one line, or non-ASCII characters'],
  ['a letter outside ASCII', 'ä', 'it has more than one line, or non-ASCII characters'],
  ['16 KiB and a byte', 'x'.repeat(16 * 1024 + 1), 'it is larger than 16384 bytes'],
] as const)
  test(`a secret of ${what} is refused: ${problem}`, async (t) => {
    const file = join(temporaryFolder(t, { s: content }), 's');
    await t.throwsAsync(readSecret(file, 'options.x'), { message: `options.x: ${file}: ${problem}` });
  });

for (const [code, forbidden, reason] of [
  ['EACCES', true, 'cannot be checked: permission denied; run as root'],
  ['EPERM', true, 'cannot be checked: operation not permitted; run as root'],
  ['ENOENT', false, 'no such file'],
] as const)
  test(`a file that cannot be read because of ${code}: ${reason}`, (t) => {
    const error = Object.assign(new Error(code), { code });
    t.is(isForbidden(error), forbidden);
    t.is(describeUnreadable(error, 'run as root'), reason);
  });

test('a file of a file system that does not respond could not be checked, whatever permission would help', (t) => {
  const error = new FileNotResponding('it did not respond within 5s', true);
  t.is(describeUnreadable(error, 'run as root'), 'could not be checked: it did not respond within 5s');
});

for (const [paths, names] of [
  [['/a/b/c'], ['c']],
  [
    ['/a/b/c', '/a/x/c'],
    ['b/c', 'x/c'],
  ],
  [
    ['/a/c', '/b/a/c'],
    ['/a/c', '/b/a/c'],
  ],
  [
    ['/a/c', '/a/c', '/a/d'],
    ['c', 'd'],
  ],
  [
    ['/a/bc', '/a/c'],
    ['bc', 'c'],
  ],
  [
    ['/a/c', '/b/c'],
    ['/a/c', '/b/c'],
  ],
  [['/'], ['/']],
] as const)
  test(`the short names of ${paths.join(', ')} are ${names.join(', ')}`, (t) => {
    t.deepEqual([...shortNames(paths).values()], [...names]);
  });
