import test from 'ava';
import { createNodeTestContext } from '../../core/testing/context.js';
import certificates from '../../plugins/health/certificates/index.js';
import channelConfig from '../../plugins/health/channel-config/index.js';
import disk from '../../plugins/health/disk/index.js';
import { DISK_OPTIONS } from '../helpers/checker.js';

const CHECKERS = {
  certificates: () =>
    certificates.create(
      createNodeTestContext(certificates, { paths: [], blocks: [], keys: [], minimum: 0, signer: 'none' })
        .context,
    ),
  'channel-config': () =>
    channelConfig.create(
      createNodeTestContext(channelConfig, {
        ledger: '/ledger',
        tlsCert: '',
        kind: 'peer',
        msp: '',
        listen: '',
        mspid: '',
        minimum: 0,
        allow: [],
      }).context,
    ),
  disk: () => disk.create(createNodeTestContext(disk, { ...DISK_OPTIONS, paths: ['/'] }).context),
} as const;

for (const [name, create] of Object.entries(CHECKERS))
  test(`the checker ${name} is about files, which the log of a node does not explain`, (t) => {
    t.is(create().kind, 'files');
  });
