import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readEnvironmentFile } from '../../../config/node/environment-file.js';
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
  ["the output of docker inspect -f '{{json .Config.Env}}'", '["A=1","B=x\\ny"]\n', { A: '1', B: 'x\ny' }],
  ["the output of docker inspect -f '{{json .Config}}'", '{"Hostname":"p","Env":["A=1"]}', { A: '1' }],
  [
    "the output of docker inspect -f '{{range .Config.Env}}{{println .}}{{end}}'",
    'A=1\nB=[x, y]\n\n',
    { A: '1', B: '[x, y]' },
  ],
  ['the output of declare -x', 'declare -x A="1 2"\ndeclare -x B="3"\n', { A: '1 2', B: '3' }],
  ['a byte order mark', '\uFEFFA=1\r\n', { A: '1' }],
  ['a mapping in JSON', '{"A":"1","B":""}', { A: '1', B: '' }],
  [
    'an environment of docker compose as a mapping',
    'environment:\n  A: 1\n  B: "x: y"\n  C: $$x\n',
    { A: '1', B: 'x: y', C: '$x' },
  ],
  [
    'an environment of docker compose as a list',
    '# peer\nenvironment:\n  - A=1\n  - B=x=y\n',
    { A: '1', B: 'x=y' },
  ],
  ['what is below environment', 'A: 1\nB: true\n', { A: '1', B: 'true' }],
  ['a list of NAME=VALUE in YAML', '- A=1\n- "B=x y"\n', { A: '1', B: 'x y' }],
  [
    'one service of docker compose',
    'services:\n  peer0:\n    image: x\n    environment:\n      A: 1\n',
    { A: '1' },
  ],
  [
    'a ConfigMap',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p0}\ndata: {A: "1", B: "x: y", core.yaml: "C: 2"}\n',
    { A: '1', B: 'x: y' },
  ],
  [
    'a ConfigMap after a comment',
    '# p0\n---\napiVersion: v1\nkind: ConfigMap\ndata:\n  A: |\n    x\n',
    { A: 'x\n' },
  ],
  [
    'a ConfigMap with $',
    'kind: ConfigMap\napiVersion: v1\ndata: {A: "$(B) ${C} $$"}\n',
    { A: '$(B) ${C} $$' },
  ],
  [
    'the output of kubectl get configmap -o json',
    '{"apiVersion":"v1","kind":"ConfigMap","data":{"A":"1","1B":"2"}}',
    { A: '1' },
  ],
  [
    'a Secret',
    'apiVersion: v1\nkind: Secret\ndata: {A: YTpi, B: "w6Q=\\n"}\nstringData: {B: "2", C: "3"}\n',
    { A: 'a:b', B: '2', C: '3' },
  ],
  [
    'a list of ConfigMaps and Secrets',
    '{"apiVersion":"v1","kind":"List","items":[{"kind":"ConfigMap","data":{"A":"1","B":"2"}},{"kind":"Secret","data":{"B":"Mg==","C":"Mw=="}}]}',
    { A: '1', B: '2', C: '3' },
  ],
  [
    'several objects',
    'apiVersion: v1\nkind: ConfigMap\ndata: {A: "1"}\n---\napiVersion: v1\nkind: ConfigMap\ndata: {B: "2"}\n---\n',
    { A: '1', B: '2' },
  ],
  [
    'a ConfigMap with names of members of objects',
    'apiVersion: v1\nkind: ConfigMap\ndata: {__proto__: "1"}\n',
    { ['__proto__']: '1' },
  ],
] as const)
  test(`a file with ${what}: ${JSON.stringify(text)}`, (t) => {
    const cwd = temporaryFolder(t, { env: text });
    t.deepEqual(Object.entries(readEnvironmentFile('env', cwd).variables), Object.entries(expected));
  });

test('the environment of this process is read', (t) => {
  const { variables: environment } = readEnvironmentFile(`/proc/${process.pid}/environ`, '/');
  t.is(environment['PATH'], /(?:^|\0)PATH=([^\0]*)/.exec(readFileSync('/proc/self/environ', 'utf8'))?.[1]);
});

for (const [what, text, reason] of [
  ['a line without a value', 'A=1\nsecret', 'line 2: must be NAME=VALUE'],
  ['an invalid name', '1A=secret', 'line 1: must be NAME=VALUE'],
  ['JSON that ends early', '[{', 'is not valid JSON, although it begins like the output of docker inspect'],
  [
    'two containers',
    '[{},{}]',
    'describes 2 containers; write the output of docker inspect for one of them to it',
  ],
  [
    'the names of two containers',
    '[{"Name":"/peer0"},{"Name":"/peer1"}]',
    'describes 2 containers: peer0, peer1; write the output of docker inspect for one of them to it',
  ],
  [
    'the output of docker inspect of no container',
    '[]\n',
    'describes 0 containers; write the output of docker inspect for one of them to it',
  ],
  [
    'two services',
    'services:\n  a: {}\n  b: {}\n',
    'describes 2 services: a, b; write the output of docker inspect for the container of one of them to it',
  ],
  [
    'a service without environment',
    'services:\n  a: {image: x}\n',
    'has no environment like a service of docker compose',
  ],
  [
    'a variable that docker compose replaces',
    'environment:\n  A: ${secret}\n',
    'A has a $ that docker compose replaces; write the output of docker inspect for the container to it',
  ],
  [
    'a variable of docker compose without a value',
    'environment:\n  - A\n',
    'A has no value here: docker compose takes it from its own environment; write the output of docker inspect for the container to it',
  ],
  [
    'a pod',
    'apiVersion: v1\nkind: Pod\n',
    'describes an object of Kubernetes, which does not have the values of all variables; write the ConfigMaps and Secrets of its envFrom to it (kubectl get configmap NAME -o yaml), or the output of kubectl exec POD -c CONTAINER -- env',
  ],
  [
    'a pod in JSON',
    '{"apiVersion":"v1","kind":"Pod"}',
    'describes an object of Kubernetes, which does not have the values of all variables; write the ConfigMaps and Secrets of its envFrom to it (kubectl get configmap NAME -o yaml), or the output of kubectl exec POD -c CONTAINER -- env',
  ],
  [
    'a list with a pod',
    '{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod"}]}',
    'describes an object of Kubernetes, which does not have the values of all variables; write the ConfigMaps and Secrets of its envFrom to it (kubectl get configmap NAME -o yaml), or the output of kubectl exec POD -c CONTAINER -- env',
  ],
  [
    'a ConfigMap of files',
    'apiVersion: v1\nkind: ConfigMap\ndata: {core.yaml: secret}\n',
    'has no variable: no key of its data is the name of one',
  ],
  [
    'a ConfigMap without data',
    'apiVersion: v1\nkind: ConfigMap\n',
    'has no variable: no key of its data is the name of one',
  ],
  [
    'two ConfigMaps with different values',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p0}\ndata: {A: secret}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: p1}\ndata: {A: x}\n',
    'A has different values in ConfigMap p0 and ConfigMap p1; write only the objects of one container to it',
  ],
  [
    'a ConfigMap with a number',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p0}\ndata: {A: 7051}\n',
    'A in ConfigMap p0 is not a text, which Kubernetes refuses; write its value in quotes',
  ],
  [
    'a Secret that is not base64',
    'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {A: secret!}\n',
    'A in Secret s is not base64',
  ],
  [
    'YAML that is not valid',
    'environment:\n  - "secret\n',
    'is not valid YAML, although it begins like the environment of a service of docker compose or an object of Kubernetes',
  ],
  ['another document', '{"Config":{}}', 'has no list Config.Env like the output of docker inspect'],
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

test('a file in UTF-16, as PowerShell writes it, is refused', (t) => {
  const cwd = temporaryFolder(t);
  for (const text of ['\uFEFFA=1\r\n', 'A=1\r\n']) {
    writeFileSync(join(cwd, 'env'), text, 'utf16le');
    t.throws(() => readEnvironmentFile('env', cwd), {
      message: 'env: is UTF-16; write it as UTF-8, in PowerShell with | Out-File -Encoding utf8',
    });
  }
});
