// Recorded results of Fabric's MSPs for many identities.

import test from 'ava';
import { TranslateError } from '../../../proto/errors.js';
import { MspManager, setupMsp, type Identity, type Msp, type Role } from '../../../translator/msp/index.js';
import { readVectors, serializedIdentity, type IdentityCases } from '../../helpers/channel-vectors.js';

const ROLES: readonly Role[] = ['admin', 'client', 'member', 'orderer', 'peer'];
const { texts, msps, configs, cases } = readVectors<IdentityCases>('identity-cases');

async function setUp(config: string): Promise<MspManager> {
  const made: Msp[] = [];
  for (const index of configs[config]!.msps) {
    const { version } = configs[config]!;
    const { msp, faults } = await setupMsp(Buffer.from(msps[index]!, 'base64'), version);
    if (msp === undefined) throw new Error(faults.join('; '));
    made.push(msp);
  }
  return new MspManager(made);
}

/** The texts of an identity in the order of a case. */
async function textsOf(manager: MspManager, name: string, mspid: string): Promise<readonly string[]> {
  let identity: Identity;
  try {
    identity = await manager.identity(serializedIdentity(name));
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return [error.message, '', '', '', '', '', ''];
  }
  const roles = ROLES.map((role) => identity.principalError({ kind: 'role', mspid, role }) ?? '');
  return ['', identity.validationError ?? '', ...roles];
}

test('there are 445 cases', (t) => {
  t.is(cases.length, 445);
});

for (const config of Object.keys(configs)) {
  const own = cases.filter(([name]) => name === config);
  test(`${config}: ${own.length} identities have Fabric's errors`, async (t) => {
    const manager = await setUp(config);
    for (const [, msp, name, ...indexes] of own) {
      const found = await textsOf(manager, name, msp);
      const comparable = found.map((text) => text.replace('[[…]]', '[CERTIFICATE]'));
      t.deepEqual(
        comparable,
        indexes.map((index) => texts[index]!),
        name,
      );
    }
  });
}
