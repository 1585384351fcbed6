// The forms of the editor.

import test from 'ava';
import { makeValue } from '../../../translator/channel/index.js';
import { setPolicy, type Edited, type MspFiles } from '../../../translator/edit/index.js';
import { FORMS, inputsOf, valuesOf, type Context } from '../../../translator/page/forms.js';
import { mspsIn } from '../../../translator/page/msp-folders.js';
import { CONFIG, PEM, withGroupOf } from '../../helpers/edits.js';
import { makeCertificate } from '../../helpers/made-certificates.js';

const CONTEXT: Context = { config: CONFIG, msps: [] };

/** Fills in a form. An input without a text keeps its initial text, as on the page. */
async function fill(name: string, texts: Readonly<Record<string, string>>): Promise<Edited> {
  const form = FORMS.find((each) => each.name === name)!;
  const inputs = new Set(inputsOf(form, CONTEXT).map((input) => input.name));
  for (const each of Object.keys(texts))
    if (!inputs.has(each)) throw new Error(`${name} has no input ${each}`);
  const apply = await form.load();
  return apply(CONFIG, valuesOf(form, new Map(Object.entries(texts)), CONTEXT));
}

test('each form has its own name and title', (t) => {
  t.is(new Set(FORMS.map(({ name }) => name)).size, FORMS.length);
  t.is(new Set(FORMS.map(({ title }) => title)).size, FORMS.length);
});

for (const [id, values, note] of [
  ['org remove', { organization: 'Application/full' }, 'organisation /Channel/Application/full removed'],
  [
    'anchor-peers set',
    { organization: 'Application/full', addresses: 'a.test:7051\nb.test:7051' },
    'anchor peers of /Channel/Application/full: a.test:7051, b.test:7051',
  ],
  [
    'edit',
    { path: 'orderer.batchSize.maxMessageCount', value: '50' },
    '/Channel/Orderer/BatchSize maxMessageCount: 10 -> 50',
  ],
  [
    'policy set',
    { path: '/Channel/Application/Admins', rule: 'ANY Admins' },
    'policy /Channel/Application/Admins: MAJORITY Admins -> ANY Admins',
  ],
  [
    'policy remove',
    { path: '/Channel/Application/Endorsement' },
    'policy /Channel/Application/Endorsement removed',
  ],
  [
    'mod-policy set',
    { path: '/Channel/Orderer/BatchSize', policy: '/Channel/Admins' },
    'mod_policy of /Channel/Orderer/BatchSize: Admins -> /Channel/Admins',
  ],
] as const)
  test(`the form ${id} with ${JSON.stringify(values)}`, async (t) =>
    t.is((await fill(id, values)).notes[0], note));

for (const [id, values, message] of [
  ['org add', {}, 'the MSP id is needed'],
  ['org add', { mspid: 'Org9MSP' }, 'drop the MSP folder of the organisation on the page, and choose it'],
  ['consenter add', { address: 'nowhere', tls: PEM.toString() }, /"nowhere"/],
  ['edit', { path: 'orderer.nothing', value: '1' }, /nothing/],
] as const)
  test(`the form ${id} refuses ${JSON.stringify(values).slice(0, 60)}`, async (t) => {
    await t.throwsAsync(fill(id, values), { code: 'BAD_EDIT', message });
  });

test('a form has the same result as the function of the library', async (t) => {
  t.deepEqual(
    (await fill('policy set', { path: '/Channel/Admins', rule: 'ALL Admins' })).config,
    setPolicy(CONFIG, '/Channel/Admins', 'ALL Admins').config,
  );
});

/** The choices of an input of a form; the first choice is empty if people must choose. */
const choices = (name: string, input: string): readonly string[] =>
  inputsOf(
    FORMS.find((each) => each.name === name)!,
    CONTEXT,
  ).find((each) => each.name === input)!.choices;

test('the choices of a form come from the channel', (t) => {
  t.deepEqual(choices('org remove', 'organization'), [
    '',
    'Application/full',
    'Application/plain',
    'Application/units',
    'Orderer/orderer',
  ]);
  t.deepEqual(choices('endpoints set', 'organization'), ['Orderer/orderer']);
  t.deepEqual(choices('consenter remove', 'address'), ['o.ord.test:7050']);
  t.true(choices('policy remove', 'path').includes('/Channel/Application/full/Endorsement'));
  t.true(choices('policy set', 'path').includes('/Channel/Orderer/BlockValidation'));
  t.deepEqual(choices('acl remove', 'resource'), ['']);
  t.true(choices('acl set', 'resource').includes('peer/Propose'));
  t.deepEqual(choices('capabilities set', 'level'), ['channel', 'orderer', 'application']);
});

const formCalled = (name: string) => FORMS.find((each) => each.name === name)!;
const valueOf = (name: string, field: string, texts: Readonly<Record<string, string>>): unknown =>
  valuesOf(formCalled(name), new Map(Object.entries(texts)), CONTEXT)[field];
const CONSENTER = { address: 'a:1', tls: PEM.toString() };

for (const [text, value] of [
  ['', undefined],
  ['1', 1],
  [' 7 ', 7],
  ['4294967295', 4_294_967_295],
] as const)
  test(`the id "${text}" of a new consenter is ${value ?? 'the next one'}`, (t) => {
    t.is(valueOf('consenter add', 'id', { ...CONSENTER, id: text }), value);
  });

for (const text of ['0', '4294967296', '-1', '1.5', '12345678901', 'x'])
  test(`the id "${text}" of a new consenter is refused`, (t) => {
    t.throws(() => valueOf('consenter add', 'id', { ...CONSENTER, id: text }), {
      code: 'BAD_EDIT',
      message: `id, with BFT; by default the next one is "${text}", expected a number of 1 to 4294967295`,
    });
  });

for (const [name, field, texts, expected] of [
  ['consenter add', 'endpoint', CONSENTER, undefined],
  ['consenter add', 'endpoint', { ...CONSENTER, endpoint: ' e:2 ' }, 'e:2'],
  ['consenter add', 'serverTls', CONSENTER, undefined],
  ['consenter add', 'organization', CONSENTER, { section: 'Orderer', name: 'orderer' }],
  ['consenter add', 'organization', { ...CONSENTER, organization: '' }, undefined],
  [
    'org remove',
    'organization',
    { organization: 'Application/a/b' },
    { section: 'Application', name: 'a/b' },
  ],
  [
    'anchor-peers set',
    'addresses',
    { organization: 'Application/full', addresses: ' a:1,\nb:2 ' },
    ['a:1', 'b:2'],
  ],
  ['anchor-peers set', 'addresses', { organization: 'Application/full' }, []],
  ['acl set', 'resource', {}, ''],
  ['capabilities set', 'level', {}, 'channel'],
  ['edit', 'settings', { path: ' a ', value: ' 1\n' }, [{ path: 'a', value: '1' }]],
] as const)
  test(`the form ${name} with ${JSON.stringify(texts).slice(0, 70)} has the ${field} ${JSON.stringify(expected) ?? 'undefined'}`, (t) => {
    t.deepEqual(valueOf(name, field, texts), expected);
  });

test('a file keeps the spaces of its text, because they may be part of it', (t) => {
  const text = ` ${PEM.toString()} `;
  t.is(Buffer.from(valueOf('consenter add', 'tls', { tls: text }) as Uint8Array).toString(), text);
});

for (const [name, texts, message] of [
  ['consenter add', { address: 'a:1' }, 'the TLS certificate is needed'],
  ['org remove', {}, 'choose an organisation'],
] as const)
  test(`the form ${name} without a choice is refused: ${message}`, (t) => {
    t.throws(() => valuesOf(formCalled(name), new Map(Object.entries(texts)), CONTEXT), {
      code: 'BAD_EDIT',
      message,
    });
  });

const input = (name: string, field: string, context = CONTEXT) =>
  inputsOf(formCalled(name), context).find((each) => each.name === field)!;

for (const [name, field, expected] of [
  ['consenter add', 'tls', { kind: 'lines', hint: 'PEM', isRequired: true }],
  ['consenter rotate', 'tls', { kind: 'lines', isRequired: false }],
  ['consenter add', 'id', { kind: 'text', isRequired: false, initial: '' }],
  ['consenter remove', 'address', { kind: 'choice', isRequired: true, initial: 'o.ord.test:7050' }],
  ['policy remove', 'path', { kind: 'choice', isRequired: true, initial: '' }],
  ['policy set', 'path', { kind: 'text', isRequired: true, initial: '' }],
  ['mod-policy set', 'path', { kind: 'text', isRequired: true, choices: [] }],
  ['capabilities set', 'level', { kind: 'choice', isRequired: true, initial: 'channel' }],
  ['org add', 'section', { kind: 'choice', isRequired: false, initial: 'Application' }],
  ['org add', 'endpoints', { kind: 'lines', isRequired: false }],
  ['org add', 'mspid', { kind: 'text', isRequired: false, initial: '', hint: 'Org3MSP' }],
  ['org set-msp', 'msp', { kind: 'choice', isRequired: true, choices: [''], initial: '' }],
  ['edit', 'path', { kind: 'text', isRequired: true, label: 'path' }],
  ['edit', 'value', { kind: 'lines', isRequired: true, label: 'value' }],
] as const)
  test(`the input ${field} of the form ${name} is ${JSON.stringify(expected)}`, (t) => {
    t.like(input(name, field), expected);
  });

const folder = (path: string, commonName: string) => ({
  path: `${path}/cacerts/ca.pem`,
  bytes: makeCertificate({ commonName }).pem,
  size: 1,
});

test('the only MSP folder is chosen, with a guess of its MSP id; of several folders people choose', (t) => {
  const one = { ...CONTEXT, msps: mspsIn([folder('one', 'ca.org9.example.com')]) };
  t.like(input('org add', 'msp', one), { choices: ['one'], initial: 'one' });
  t.is(input('org add', 'mspid', one).initial, 'Org9MSP');
  const { files } = valuesOf(formCalled('org add'), new Map(), one).msp as { readonly files: MspFiles };
  t.is<MspFiles | undefined, MspFiles | undefined>(files, one.msps[0]!.organization);
  const two = { ...CONTEXT, msps: mspsIn([folder('one', 'ca.org9'), folder('two', 'ca.org8')]) };
  t.like(input('org add', 'msp', two), { choices: ['', 'one', 'two'], initial: '' });
  t.is(input('org add', 'mspid', two).initial, '');
});

test('a channel with a value that cannot be read has no choices, and no exception', (t) => {
  const broken = withGroupOf(CONFIG, 'Application', ({ values }) => ({
    values: new Map(values).set('ACLs', makeValue({ value: Uint8Array.of(0xff) })),
  }));
  t.deepEqual(input('acl remove', 'resource', { ...CONTEXT, config: broken }).choices, ['']);
});
