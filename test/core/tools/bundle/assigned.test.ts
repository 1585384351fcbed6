import test from 'ava';
import { createMask } from '../../../../core/tools/bundle/mask.js';

const mask = createMask({ values: new Set(), keys: [] });
const json = JSON.stringify;

/** Each has the mark `QZX` in all parts that could be left. */
const SECRETS: readonly string[] = [
  'QZX1-hunter2',
  '12QZX',
  'QZXa QZXb QZXc',
  'QZXa"QZXb',
  "QZXa'QZXb",
  String.raw`QZXa\QZXb`,
  String.raw`QZXa\"QZXb`,
  'QZXä@QZX/QZX:QZX',
  '{QZX}QZX,QZX}',
  '[QZX=QZX&QZX#QZX',
  '<QZX>QZX',
  '$QZX`QZX',
];

const NAMES: readonly string[] = [
  'password',
  'CORE_LEDGER_STATE_COUCHDBCONFIG_PASSWORD',
  'General.BCCSP.PKCS11.Pin',
  'pwd',
  'passphrase',
  'client_secret',
  'accessToken',
  'dbPass',
];

/** A line of the JSON log of Docker. */
const docker = (line: string): string => json({ log: `${line}\n`, stream: 'stderr' });
const shell = (secret: string): string => `'${secret.replaceAll("'", String.raw`'\''`)}'`;
const xml = (secret: string): string =>
  secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Forms in which a text assigns a value to a name. */
const FORMS: readonly ((name: string, secret: string) => string)[] = [
  (name, secret) => `2026 WARN ${name}: ${secret}`,
  (name, secret) => `[peer] ${name} = ${secret}`,
  (name, secret) => `${name}=${secret}`,
  (name, secret) => `\u001b[36m${name}\u001b[0m=${secret}`,
  (name, secret) => `export ${name}=${shell(secret)}`,
  (name, secret) => json({ level: 'info', [name]: secret, x: 1 }),
  (name, secret) => json({ [name]: secret }).slice(0, -2),
  (name, secret) => json({ [name]: { user: 'a', value: secret } }),
  (name, secret) => json({ [name]: ['a', secret], x: 2 }),
  (name, secret) => JSON.stringify({ a: { [name]: [secret, secret], c: 2 } }, undefined, 2),
  (name, secret) => `2026 INFO [peer] ${json({ [name]: secret })} done`,
  (name, secret) => docker(json({ a: 1, [name]: secret, b: 'x' })),
  (name, secret) => json({ m: docker(json({ a: 1, [name]: secret, b: 'x' })) }),
  (name, secret) => docker(`2026 WARN ${name}: ${secret}`),
  (name, secret) => `${docker(`${name}:`)}\n${docker(`  ${secret}`)}`,
  (name, secret) => json({ Env: [`${name}=${secret}`, 'PATH=/bin'] }),
  (name, secret) => JSON.stringify({ Env: [`${name}=${secret}`, 'PATH=/bin'] }, undefined, 4),
  (name, secret) => json(['program', `--${name}`, secret, '-x']),
  (name, secret) => json({ name, value: secret }),
  (name, secret) => `- name: ${name}\n  value: ${json(secret)}`,
  (name, secret) => `level=info msg="x" ${name}=${json(secret)} a=b`,
  (name, secret) => `level=info msg=${json(`${name}: ${secret}`)} a=b`,
  (name, secret) => docker(`level=info msg=${json(`${name}: ${secret}`)} a=b`),
  (name, secret) => `a:\n  ${name}: ${secret}\n  b: 1`,
  (name, secret) => `  ${name}: '${secret.replaceAll("'", "''")}' # c`,
  (name, secret) => `  ${name}: ${json(secret)} # c`,
  (name, secret) => `  ${name}: |\n    ${secret}\n    ${secret}\n  b: 1`,
  (name, secret) => `  ${name}:\n    ${secret}\n  b: 1`,
  (name, secret) => `  ${name}: &anchor ${secret}\n  b: 1`,
  (name, secret) => `[peer]   ${name}: first\n[peer]     ${secret}\n[peer]  b: 1`,
  (name, secret) => `program --${name} ${secret}`,
  (name, secret) => `program --${name}=${secret} -x`,
  (name, secret) => `program -${name} ${shell(secret)} -x`,
  (name, secret) => `program --${name} \\\n  ${secret} \\\n  -x`,
  (name, secret) => `<a><${name}>${xml(secret)}</${name}></a>`,
  (name, secret) => `<a ${name}="${xml(secret)}"/>`,
  (name, secret) => `{Username:admin ${name}:${secret} Max:3}`,
  (name, secret) => `Config{Username:"admin", ${name}:${json(secret)}, Max:3}`,
  (name, secret) => `{'a': 1, '${name}': '${secret.replaceAll(/['\\]/g, String.raw`\$&`)}'}`,
  (name, secret) => `:${name} => ${json(secret)}, x`,
  (name, secret) => `("${name}", ${json(secret)})`,
  (name, secret) => `with ${name} ${json(secret)} x`,
  (name, secret) => `GET /x?a=b&${name}=${encodeURIComponent(secret)}&c=d HTTP/1.1`,
  (name, secret) => `body=${encodeURIComponent(json({ [name]: secret }))}`,
  (name, secret) => `> X-${name}: ${secret}`,
];

for (const [number, form] of FORMS.entries())
  for (const [index, secret] of SECRETS.entries()) {
    const text = form(NAMES[(number + index) % NAMES.length] ?? '', secret);
    test(`nothing of the secret is left of form ${number}: ${json(text)}`, (t) => {
      const { text: masked, count } = mask(text);
      t.false(/QZX/i.test(masked), masked);
      t.true(count > 0);
    });
  }

/** Numbers from 0 to below 1, always the same. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('nothing is left of 20,000 random secrets with random names in random forms', (t) => {
  const random = createRandom();
  const pick = <T>(list: ArrayLike<T>): T => list[Math.floor(random() * list.length)]!;
  for (let run = 0; run < 20_000; run += 1) {
    const parts = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => `QZX${pick(' "\'\\{}[]<>#$`=&,;:/@!?%+-_.0aZ|~()é')}`,
    );
    const text = pick(FORMS)(pick(NAMES), parts.join(''));
    const line = random() < 0.3 ? docker(text) : text;
    if (/QZX/i.test(mask(line).text)) return t.fail(`${json(line)}\n${mask(line).text}`);
  }
  return t.pass();
});
