import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { noticeOf, packagesOf } from './vendor.js';

test('each bundled package of package.json has a bundle and a notice with its version and licence', (t) => {
  const { imports, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    imports: Record<string, { types: string; default: string }>;
    devDependencies: Record<string, string>;
  };
  const notices = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
  for (const [name, { types, default: bundle }] of Object.entries(imports)) {
    t.true(existsSync(bundle), name);
    t.regex(notices, new RegExp(`^${types} ${devDependencies[types]} \\(`, 'm'));
  }
});

test('the bundles do not contain the plugins of restify', (t) => {
  const notices = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
  t.regex(notices, /^find-my-way /m);
  t.notRegex(notices, /^(?:formidable|http-signature|csv|send|tweetnacl) /m);
});

test('the packages of modules are their innermost directories in node_modules', (t) => {
  const modules = ['a/index.js', 'a/node_modules/@s/b/lib/x.js', 'a/lib/y.js'];
  t.deepEqual(packagesOf([...modules.map((module) => `node_modules/${module}`), 'entry:a']), [
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

for (const name of ['assert-plus 1.0.0', 'safe-json-stringify 1.2.0'])
  test(`the notices state the licence of ${name}, which has no licence file`, (t) => {
    const notices = readFileSync('dist/THIRD-PARTY-LICENSES.txt', 'utf8');
    t.true(
      notices.includes(
        `\n${name} (MIT)\n\nThe package has no licence file. Its package.json states the licence MIT.\n`,
      ),
    );
  });
