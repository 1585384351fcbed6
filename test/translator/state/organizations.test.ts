// The organisations of a channel: their MSPs, and the same organisation in another config.

import test from 'ava';
import { MspMSPConfig } from '../../../proto/messages.js';
import { writeMessage } from '../../../proto/typed.js';
import {
  channelOf,
  makeGroup,
  makeValue,
  type ConfigGroup,
  type Organization,
} from '../../../translator/channel/index.js';
import { isIdemix, mspOf, sameOrganization } from '../../../translator/state/organizations.js';
import { mspValue } from '../../helpers/small-channel.js';

/** A channel with organisations, by `Application/Org1`. */
function channelWith(msps: Readonly<Record<string, Uint8Array | undefined>>) {
  const sections = new Map<string, Map<string, ConfigGroup>>();
  for (const [path, value] of Object.entries(msps)) {
    const [section = '', name = ''] = path.split('/');
    const group = makeGroup({ values: new Map(value === undefined ? [] : [['MSP', makeValue({ value })]]) });
    sections.set(section, (sections.get(section) ?? new Map<string, ConfigGroup>()).set(name, group));
  }
  const groups = new Map([...sections].map(([name, of]) => [name, makeGroup({ groups: of })]));
  return channelOf({ channelGroup: makeGroup({ groups }) });
}

const organizationWith = (value: Uint8Array | undefined): Organization =>
  channelWith({ 'Application/Org1': value }).organizations[0]!;

for (const [what, value, name, idemix] of [
  ['with certificates', mspValue('Org1MSP'), 'Org1MSP', false],
  [
    'of the type idemix',
    writeMessage(MspMSPConfig, { type: 1, config: Uint8Array.of(10, 0) }),
    undefined,
    true,
  ],
  [
    'of another type',
    writeMessage(MspMSPConfig, { type: 2, config: Uint8Array.of(10, 0) }),
    undefined,
    false,
  ],
  ['without a content', writeMessage(MspMSPConfig, {}), undefined, false],
  [
    'whose content does not parse',
    writeMessage(MspMSPConfig, { config: Uint8Array.of(0xff) }),
    undefined,
    false,
  ],
  ['that is missing', undefined, undefined, false],
] as const)
  test(`an MSP ${what} ${name === undefined ? 'has no certificates' : 'is read'}`, (t) => {
    const organization = organizationWith(value);
    t.is(mspOf(organization)?.name, name);
    t.is(mspOf(organization), mspOf(organization));
    t.is(isIdemix(organization), idemix);
  });

test('an MSP that does not parse has no certificates', (t) => {
  t.is(mspOf(organizationWith(Uint8Array.of(0xff))), undefined);
});

test('an organisation is the same one at its path, otherwise in its section by its MSP id', (t) => {
  const before = channelWith({ 'Application/A': mspValue('AMSP') }).organizations[0]!;
  const found = (msps: Parameters<typeof channelWith>[0]): string | undefined =>
    sameOrganization(before, channelWith(msps))?.path;
  t.is(
    found({ 'Application/B': mspValue('AMSP'), 'Application/A': mspValue('BMSP') }),
    '/Channel/Application/A',
  );
  t.is(found({ 'Application/B': mspValue('AMSP') }), '/Channel/Application/B');
  t.is(found({ 'Orderer/B': mspValue('AMSP') }), undefined);
  t.is(found({ 'Application/B': mspValue('BMSP') }), undefined);
});
