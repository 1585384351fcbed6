// IPv6 addresses of consenters and anchor peers: the same text for printing, comparing and reading.

import test from 'ava';
import { channelOf, type Config } from '../../../translator/channel/index.js';
import { describeDifference } from '../../../translator/documents/index.js';
import {
  addConsenter,
  editAnchorPeers,
  removeConsenter,
  rotateConsenter,
  setByPath,
} from '../../../translator/edit/index.js';
import { activeConsenters } from '../../../translator/rules/facts/orderers.js';
import { summariseChannel } from '../../../translator/documents/index.js';
import { CONFIG, OTHER_PEM, PEM } from '../../helpers/edits.js';

const HOST_PATH = 'orderer.consensusType.metadata.consenters.0.host';

/** The channel with a consenter at this host and the port 7050. */
const withHost = (host: string): Config => setByPath(CONFIG, HOST_PATH, host).config;

const shown = async (config: Config): Promise<readonly string[]> => {
  const { orderer } = await summariseChannel({ kind: 'config', form: 'config', config });
  return orderer!.consenters.map(({ address }) => address);
};

const consentersOf = (config: Config) => channelOf(config).orderer.consenters;

for (const host of ['::1', '[::1]', '2001:db8::7', '[2001:db8::7]']) {
  const text = host.startsWith('[') ? `${host}:7050` : `[${host}]:7050`;

  test(`a consenter with the host ${host} is shown as ${text}, and edits find it by that`, async (t) => {
    const config = withHost(host);
    t.deepEqual(await shown(config), [text]);
    const [rotated] = consentersOf(rotateConsenter(config, text, { tls: OTHER_PEM }).config);
    t.deepEqual(Buffer.from(rotated!.serverTlsCert), OTHER_PEM);
    t.is(rotated!.host, host);
    const two = addConsenter(config, { address: 'p:2', tls: PEM }).config;
    t.deepEqual(await shown(removeConsenter(two, text).config), ['p:2']);
  });

  test(`a consenter with the host ${host} is not active if ${text} does not respond`, (t) => {
    const config = withHost(host);
    const progress = { address: text, block: null, reason: 'connection refused' };
    t.deepEqual([...activeConsenters(config, [progress])], []);
    t.deepEqual([...activeConsenters(config, [{ ...progress, block: '1', reason: null }])], [0]);
  });
}

test('a consenter and an anchor peer with IPv6 get a host in brackets, as Fabric connects to it', (t) => {
  const { config, notes } = addConsenter(CONFIG, { address: '[::1]:7', tls: PEM });
  t.is(notes[0], 'consenter [::1]:7 added');
  t.is(consentersOf(config)[1]!.host, '[::1]');
  const peers = editAnchorPeers(CONFIG, 'set', 'units', ['[::1]:7']).config;
  const units = channelOf(peers).application.organizations.find(({ name }) => name === 'units')!;
  t.deepEqual(units.anchorPeers, [{ host: '[::1]', port: 7 }]);
});

test('an anchor peer without brackets in the config is found by its address', (t) => {
  const peers = setByPath(CONFIG, 'units.anchorPeers', '[{"host":"::1","port":7}]').config;
  const edited = editAnchorPeers(peers, 'remove', 'units', ['[::1]:7']);
  t.deepEqual(edited.notes, ['anchor peers of /Channel/Application/units: none']);
});

test('changes of consenters name an IPv6 address with brackets', async (t) => {
  const changes = await describeDifference(CONFIG, withHost('::1'));
  t.true(changes.some(({ words }) => words.some((each) => each.includes('[::1]:7050'))));
});
