import test from 'ava';
import { noticeOf, packagesOf } from '../../../core/common/build/notices.js';
import { temporaryFolder } from '../../helpers/folder.js';

test('the packages of modules are their innermost directories in node_modules', (t) => {
  const modules = ['a/index.js', 'a/node_modules/@s/b/lib/x.js', 'a/lib/y.js'];
  t.deepEqual(packagesOf([...modules.map((module) => `node_modules/${module}`), 'core/page/main.ts']), [
    'node_modules/a',
    'node_modules/a/node_modules/@s/b',
  ]);
});

test('the notice of a package contains the text of its licence files', (t) => {
  const folder = temporaryFolder(t, {
    'package.json': '{ "name": "a", "version": "1.0.0", "license": "MIT" }',
    'LICENSE.md': 'Do what you want.\n',
    NOTICE: 'By A.',
    'licenses.js': 'code',
  });
  t.is(noticeOf(folder), 'a 1.0.0 (MIT)\n\nDo what you want.\n\nBy A.');
});

for (const [license, found] of [
  ['"license": "GPL-3.0"', 'GPL-3.0'],
  ['"private": true', '(none)'],
] as const) {
  test(`a package with ${license} is refused`, (t) => {
    const folder = temporaryFolder(t, { 'package.json': `{ "name": "a", "version": "1.0.0", ${license} }` });
    t.throws(() => noticeOf(folder), {
      message: `a 1.0.0 has the licence ${found}; allowed: 0BSD, Apache-2.0, BSD-2-Clause, BSD-3-Clause, ISC, MIT`,
    });
  });
}

test('the notice of a package without a licence file states its licence', (t) => {
  const folder = temporaryFolder(t, {
    'package.json': '{ "name": "a", "version": "1.0.0", "license": "MIT" }',
  });
  t.is(
    noticeOf(folder),
    'a 1.0.0 (MIT)\n\nThe package has no licence file. Its package.json states the licence MIT.',
  );
});
