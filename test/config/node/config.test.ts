import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readEnvironmentFile } from '../../../config/node/config.js';
import { temporaryFolder } from '../../helpers/folder.js';

const container = (...variables: readonly string[]): string =>
  JSON.stringify([{ Config: { Env: variables } }]);

for (const [what, text, expected] of [
  ['lines', 'A=1\n\n# B=2\n; C=3\nexport D = 4\n'.replace(' = ', '='), { A: '1', D: '4' }],
  ['quotes', `A="a b\\"\\\\c"\nB='\\"'\nC=a"b"\nD=\r\n`, { A: 'a b"\\c', B: '\\"', C: 'a"b"', D: '' }],
  ['values with equal signs', 'A=b=c', { A: 'b=c' }],
  ['the output of docker inspect', container('A=1', 'B=x\ny', 'no variable'), { A: '1', B: 'x\ny' }],
  ['one object', JSON.stringify({ Config: { Env: ['A=1'] } }), { A: '1' }],
  ['the environment of a process', 'A=1\0B=x\ny\0\0', { A: '1', B: 'x\ny' }],
  ['names of members of objects', '__proto__=1\nconstructor=2', { ['__proto__']: '1', constructor: '2' }],
  ['nothing', '', {}],
] as const)
  test(`a file with ${what}: ${JSON.stringify(text)}`, (t) => {
    const cwd = temporaryFolder(t, { env: text });
    t.deepEqual(Object.entries(readEnvironmentFile('env', cwd)), Object.entries(expected));
  });

test('the environment of this process is read', (t) => {
  const environment = readEnvironmentFile(`/proc/${process.pid}/environ`, '/');
  t.is(environment['PATH'], /(?:^|\0)PATH=([^\0]*)/.exec(readFileSync('/proc/self/environ', 'utf8'))?.[1]);
});

for (const [what, text, reason] of [
  ['a line without a value', 'A=1\nsecret', 'line 2: must be NAME=VALUE'],
  ['an invalid name', '1A=secret', 'line 1: must be NAME=VALUE'],
  ['JSON that ends early', '[{', 'is not valid JSON, although it begins like the output of docker inspect'],
  ['two containers', '[{},{}]', 'describes 2 containers; write docker inspect of one of them to it'],
  ['another document', '{"Config":{}}', 'has no list Config.Env, as the output of docker inspect has'],
  ['more than 1 MiB', 'A'.repeat(1024 * 1024 + 1), 'it is larger than 1048576 bytes'],
] as const)
  test(`a file with ${what} is refused, without its values in the message`, (t) => {
    const cwd = temporaryFolder(t, { env: text });
    t.throws(() => readEnvironmentFile('env', cwd), { message: `env: ${reason}` });
  });

test('a file that does not exist is refused', (t) => {
  const cwd = temporaryFolder(t);
  t.throws(() => readEnvironmentFile('env', cwd), { message: 'env: no such file' });
  t.throws(() => readEnvironmentFile(join(cwd, 'env'), '/'), {
    message: `${join(cwd, 'env')}: no such file`,
  });
});
