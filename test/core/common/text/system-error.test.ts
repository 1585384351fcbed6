import { readFileSync } from 'node:fs';
import test from 'ava';
import { describeSystemError } from '../../../../core/common/text/system-error.js';

for (const [path, text] of [
  ['/nonexistent', 'no such file'],
  ['/', 'it is a directory'],
  ['/dev/null/file', 'not a directory'],
  [`/${'x'.repeat(300)}`, 'name too long'],
] as const)
  test(`reading ${path.slice(0, 20)} fails: ${text}`, (t) => {
    t.is(describeSystemError(t.throws(() => readFileSync(path))), text);
  });

test('errors of other kinds keep their message', (t) => {
  t.is(describeSystemError(new Error('it is not a regular file')), 'it is not a regular file');
  t.is(describeSystemError(Object.assign(new Error('bad'), { code: 'constructor' })), 'bad');
  t.is(describeSystemError('text'), 'text');
});
