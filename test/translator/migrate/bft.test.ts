// The updates of a migration, planned for a recorded channel of Fabric v3.0.0.

import test, { type ExecutionContext } from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { readMessage } from '../../../proto/typed.js';
import { MspSerializedIdentity } from '../../../proto/messages.js';
import { applyUpdate } from '../../../translator/channel/apply.js';
import type { Config } from '../../../translator/channel/element.js';
import { valueOf } from '../../../translator/channel/values.js';
import { channelOf } from '../../../translator/channel/channel.js';
import { removeConsenter } from '../../../translator/edit/index.js';
import { planBft, type ConsenterIdentity, type PlannedStep } from '../../../translator/migrate/index.js';
import { review } from '../../../translator/review/index.js';
import { creatorOf, readEnvelope } from '../../../translator/channel/envelope.js';
import { readUpdateFile } from '../../../translator/channel/file.js';

import { configBlock, envelopeOf, IDENTITIES } from '../../helpers/migration.js';

const NOW = new Date('2026-11-23T00:00:00Z');
const GENESIS = configBlock(0).config;
const [FIRST, SECOND, THIRD, FOURTH] = IDENTITIES as [
  ConsenterIdentity,
  ConsenterIdentity,
  ConsenterIdentity,
  ConsenterIdentity,
];

const apply = (config: Config, { envelope }: PlannedStep): Config =>
  applyUpdate(config, readEnvelope(envelope).update).config;

const planned = async (
  config: Config,
  identities: readonly ConsenterIdentity[] = IDENTITIES,
  now = NOW,
): Promise<PlannedStep[]> => planBft(config, identities, 'ch1', now);

const adminOf = (envelope: string, signature: number): Uint8Array =>
  readMessage(MspSerializedIdentity, creatorOf(envelopeOf(envelope).signatures[signature]!.header)).idBytes;

async function refused(t: ExecutionContext, plan: Promise<unknown>, message: string): Promise<void> {
  const error = await t.throwsAsync(plan, { instanceOf: TranslateError });
  t.deepEqual([error?.code, error?.message], ['BAD_EDIT', message]);
}

test('a migration has four steps, and each fits the result of the previous one', async (t) => {
  const steps = await planned(GENESIS);
  t.deepEqual(
    steps.map(({ step, notes }) => [step, notes]),
    [
      ['capability', ['/Channel/Capabilities: V2_0 -> V3_0']],
      ['maintenance', ['maintenance begins: orderers accept config updates only']],
      ['bft', ['BFT with 4 consenters, and a matching policy BlockValidation']],
      ['normal', ['maintenance ends: orderers accept transactions again']],
    ],
  );
  let block = configBlock(0);
  const findings: (readonly string[])[] = [];
  for (const step of steps) {
    const reviewed = await review(readUpdateFile(step.envelope), block, { now: NOW });
    findings.push(reviewed.findings.filter(({ severity }) => severity !== 'unsigned').map(({ id }) => id));
    block = { ...block, config: apply(block.config, step) };
  }
  t.deepEqual(findings, [
    ['capability-raised'],
    ['maintenance-entered'],
    ['maintenance-entered'],
    ['bft-not-restarted'],
  ]);
  const orderer = block.config.channelGroup.groups.get('Orderer');
  const expected = configBlock(5).config.channelGroup.groups.get('Orderer');
  for (const name of ['ConsensusType', 'Orderers'] as const)
    t.deepEqual(valueOf(orderer, 'orderer', name), valueOf(expected, 'orderer', name));
  t.deepEqual(
    orderer?.policies.get('BlockValidation')?.policy,
    expected?.policies.get('BlockValidation')?.policy,
  );
});

for (const [at, steps] of [
  [1, ['maintenance', 'bft', 'normal']],
  [2, ['bft', 'normal']],
] as const)
  test(`from block ${at}, a migration has the steps ${steps.join(', ')}`, async (t) => {
    t.deepEqual(
      (await planned(configBlock(at).config)).map(({ step }) => step),
      [...steps],
    );
  });

const WRONG: readonly (readonly [what: string, identities: readonly ConsenterIdentity[], error: string])[] = [
  [
    'no identity',
    [],
    'no identity is given for 127.0.0.1:27070, 127.0.0.1:27073, 127.0.0.1:27076, 127.0.0.1:27079',
  ],
  ['an identity that is missing', [FIRST, SECOND, FOURTH], 'no identity is given for 127.0.0.1:27076'],
  [
    'an unknown consenter',
    [...IDENTITIES, { ...FIRST, consenter: 'o9.example.com:7050' }],
    '"o9.example.com:7050" is no consenter; the channel has 127.0.0.1:27070, 127.0.0.1:27073, 127.0.0.1:27076, 127.0.0.1:27079',
  ],
  [
    'position 0',
    [{ ...FIRST, consenter: '0' }],
    '"0" is no consenter; the channel has 127.0.0.1:27070, 127.0.0.1:27073, 127.0.0.1:27076, 127.0.0.1:27079',
  ],
  [
    'a consenter with two identities',
    [FIRST, { ...SECOND, consenter: '1' }],
    'the consenter 127.0.0.1:27070 has two identities',
  ],
  [
    'one identity for two consenters',
    [FIRST, { ...FIRST, consenter: SECOND.consenter }],
    '127.0.0.1:27070 and 127.0.0.1:27073 have the same identity',
  ],
  [
    'identities that are swapped',
    [
      FIRST,
      { ...SECOND, certificate: THIRD.certificate },
      { ...THIRD, certificate: SECOND.certificate },
      FOURTH,
    ],
    'the identity of 127.0.0.1:27073 belongs to 127.0.0.1:27076: both are named orderer3.example.com',
  ],
  [
    'the identity of an admin',
    [{ ...FIRST, certificate: adminOf('e2', 0) }, SECOND, THIRD, FOURTH],
    'the identity of 127.0.0.1:27070, CN=Admin@example.com, does not have the role orderer of OrdererMSP',
  ],
  [
    'the identity of another organisation',
    [{ ...FIRST, certificate: adminOf('e1', 1) }, SECOND, THIRD, FOURTH],
    'the identity of 127.0.0.1:27070 belongs to no orderer organisation (OrdererMSP: the supplied identity is not valid: x509: certificate signed by unknown authority)',
  ],
  [
    'a TLS certificate',
    [
      { ...FIRST, certificate: channelOf(GENESIS).orderer.consenters[0]!.serverTlsCert },
      SECOND,
      THIRD,
      FOURTH,
    ],
    'the identity of 127.0.0.1:27070 belongs to no orderer organisation (OrdererMSP: the supplied identity is not valid: x509: certificate signed by unknown authority)',
  ],
  [
    'no PEM',
    [{ ...FIRST, certificate: Buffer.from('garbage') }, SECOND, THIRD, FOURTH],
    'the identity of 127.0.0.1:27070 is not a certificate in PEM',
  ],
];

for (const [what, identities, error] of WRONG)
  test(`a migration is refused: ${what}`, async (t) => {
    await refused(t, planned(GENESIS, identities), error);
  });

test('refused: identities that have expired', async (t) => {
  await refused(
    t,
    planned(GENESIS, IDENTITIES, new Date('2040-01-01T00:00:00Z')),
    'the identity of 127.0.0.1:27070, CN=orderer1.example.com, expired on 2036-11-20',
  );
});

test('refused: three consenters', async (t) => {
  const { config } = removeConsenter(GENESIS, FOURTH.consenter);
  await refused(
    t,
    planned(config),
    'the channel has 3 consenters, BFT needs 4: add them first, with configtxlator consenter add',
  );
});

test('refused: a BFT channel', async (t) => {
  await refused(
    t,
    planned(configBlock(3).config),
    'the consensus type of ch1 is BFT: only channels with etcdraft can be moved to BFT',
  );
});
