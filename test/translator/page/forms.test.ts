// The forms of the editor.

import test from 'ava';
import { setPolicy, type Edited } from '../../../translator/edit/index.js';
import { FORMS, inputsOf, valuesOf, type Context } from '../../../translator/page/forms.js';
import { CONFIG, PEM } from '../../helpers/edits.js';

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
