// The forms of the editor.

import test from 'ava';
import { setPolicy } from '../../../translator/edit/index.js';
import { FORMS } from '../../../translator/page/forms.js';
import { CONFIG, PEM } from '../../helpers/edits.js';

/** Fills in a form; a field without a value has its first choice, as on the page. */
function fill(id: string, values: Readonly<Record<string, string>>): readonly string[] {
  const form = FORMS.find((each) => each.id === id)!;
  const context = { config: CONFIG, msps: [] };
  for (const name of Object.keys(values))
    if (!form.fields.some((field) => field.name === name)) throw new Error(`${id} has no field ${name}`);
  return form.apply(
    context,
    (name) => values[name] ?? form.fields.find((field) => field.name === name)?.choices?.(context)[0] ?? '',
  ).notes;
}

test('each form has its own id and title', (t) => {
  t.is(new Set(FORMS.map(({ id }) => id)).size, FORMS.length);
  t.is(new Set(FORMS.map(({ title }) => title)).size, FORMS.length);
});

for (const [id, values, note] of [
  ['org-remove', { organization: 'Application/full' }, 'organisation /Channel/Application/full removed'],
  [
    'anchor-peers',
    { organization: 'Application/full', action: 'set', addresses: 'a.test:7051\nb.test:7051' },
    'anchor peers of /Channel/Application/full: a.test:7051, b.test:7051',
  ],
  [
    'set',
    { path: 'orderer.batchSize.maxMessageCount', value: '50' },
    '/Channel/Orderer/BatchSize max_message_count: 10 -> 50',
  ],
  [
    'policy-set',
    { path: '/Channel/Application/Admins', rule: 'ANY Admins' },
    'policy /Channel/Application/Admins: MAJORITY Admins -> ANY Admins',
  ],
  [
    'policy-remove',
    { path: '/Channel/Application/Endorsement' },
    'policy /Channel/Application/Endorsement removed',
  ],
  [
    'mod-policy',
    { path: '/Channel/Orderer/BatchSize', policy: '/Channel/Admins' },
    'mod_policy of /Channel/Orderer/BatchSize: Admins -> /Channel/Admins',
  ],
] as const)
  test(`the form ${id} with ${JSON.stringify(values)}`, (t) => t.is(fill(id, values)[0], note));

for (const [id, values, message] of [
  ['org-add', {}, 'the MSP id is needed'],
  ['org-add', { mspid: 'Org9MSP' }, 'drop the MSP folder of the organisation on the page, and choose it'],
  ['consenter-add', { address: 'nowhere', tls: PEM.toString() }, /"nowhere"/],
  ['set', { path: 'orderer.nothing', value: '1' }, /nothing/],
] as const)
  test(`the form ${id} refuses ${JSON.stringify(values).slice(0, 60)}`, (t) => {
    t.throws(() => fill(id, values), { code: 'BAD_EDIT', message });
  });

test('a form makes what the function of the library makes', (t) => {
  const form = FORMS.find(({ id }) => id === 'policy-set')!;
  const values: Readonly<Record<string, string>> = { path: '/Channel/Admins', rule: 'ALL Admins' };
  t.deepEqual(
    form.apply({ config: CONFIG, msps: [] }, (name) => values[name] ?? '').config,
    setPolicy(CONFIG, '/Channel/Admins', 'ALL Admins').config,
  );
});
