import { readFileSync } from 'node:fs';
import test from 'ava';
import { bundledRows, findingsOf, readBundled, readLock, tableIn } from './bundled.js';

test('the table in test/README.md lists the bundled packages', (t) => {
  t.deepEqual(
    tableIn(readFileSync('test/README.md', 'utf8')),
    bundledRows(readLock(), readBundled()),
    'run npm run build && node dist/test/build/bundled.js && npx oxfmt test/README.md',
  );
});

const LOCK = {
  lockfileVersion: 3,
  packages: {
    '': {},
    'node_modules/used': { version: '1.0.0' },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/yaml': { version: '2.0.0', dev: true, license: 'ISC', dependencies: { part: '1' } },
    'node_modules/tool/node_modules/part': { version: '2.0.0', dev: true },
    'node_modules/part': { version: '1.0.0', dev: true, license: 'MIT' },
  },
};
const BUNDLED = ['yaml@2.0.0', 'part@1.0.0'];

test('a row has the version and licence of the lock file and the purpose or the dependent packages', (t) => {
  t.deepEqual(bundledRows(LOCK, BUNDLED), [
    ['part', '1.0.0', 'dependency of yaml', 'MIT'],
    ['yaml', '2.0.0', 'configuration files', 'ISC'],
  ]);
  t.throws(() => bundledRows(LOCK, ['part@3.0.0']), {
    message: 'package-lock.json does not contain part@3.0.0',
  });
});

test('the audit reports high and critical findings in dependencies and bundled packages only', (t) => {
  const vulnerabilities = {
    used: { severity: 'critical', nodes: ['node_modules/used'] },
    tool: { severity: 'critical', nodes: ['node_modules/tool'] },
    yaml: { severity: 'moderate', nodes: ['node_modules/yaml'] },
    part: { severity: 'high', nodes: ['node_modules/part', 'node_modules/tool/node_modules/part'] },
  };
  t.deepEqual(findingsOf({ vulnerabilities }, LOCK, BUNDLED), [
    'node_modules/used (critical)',
    'node_modules/part (high)',
  ]);
});

test('an audit without findings is accepted, a result without a list of findings is an error', (t) => {
  t.deepEqual(findingsOf({ vulnerabilities: {} }, LOCK, BUNDLED), []);
  t.throws(() => findingsOf({}, LOCK, BUNDLED), {
    message: 'the result of npm audit has no list of findings',
  });
});
