// The command `identity`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { IdentityReport } from '../../../translator/documents/index.js';
import { IDENTITIES, certificateOf } from '../../helpers/channel-vectors.js';
import { runCommand, type CommandOutcome } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const { now, configs } = readReviewCases();

/** Runs the command on a file of a new folder. */
async function identity(
  t: ExecutionContext,
  write: (folder: string) => string,
  ...flags: readonly string[]
): Promise<CommandOutcome> {
  const folder = temporaryFolder(t);
  const block = join(folder, 'block.pb');
  writeFileSync(block, bytesIn(configs.app2!));
  return runCommand(t, ['identity', write(folder), '--block', block, '--now', now, ...flags]);
}

const file =
  (content: Uint8Array) =>
  (folder: string): string => {
    writeFileSync(join(folder, 'file'), content);
    return join(folder, 'file');
  };

/** An MSP folder with a certificate and a key. */
const mspFolder =
  (certificate: string, key?: string) =>
  (folder: string): string => {
    for (const name of ['signcerts', 'keystore']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'signcerts', 'cert.pem'), certificateOf(certificate));
    if (key !== undefined) writeFileSync(join(folder, 'keystore', 'key.pem'), IDENTITIES[key]!.key);
    return folder;
  };

test('identity shows what a valid identity may do', async (t) => {
  const { status, stdout } = await identity(t, file(certificateOf('Org1/admin')));
  t.is(status, 0);
  t.is(
    stdout,
    `certificate: Org1MSP CN=Admin@org1.example.com: valid
  identity
    organisation   /Channel/Application/Org1
    issuer         CN=ca.org1.example.com
    valid          2026-11-21 to 2036-11-18
    serial number  24b7f665d6ef5cbd7f200b7c862ee79b
    chain          CN=Admin@org1.example.com ← CN=ca.org1.example.com
    OUs            admin
    roles          admin, member
  may
    yes  /Channel/Readers              Deliver
    yes  /Channel/Writers              Broadcast
    yes  /Channel/Application/Readers  event/Block, event/FilteredBlock, gateway/CommitStatus, gateway/ChaincodeEvents, cscc/GetConfigBlock and 11 more
    yes  /Channel/Application/Writers  peer/Propose, peer/ChaincodeToChaincode, _lifecycle/CommitChaincodeDefinition, _lifecycle/QueryChaincodeDefinition, _lifecycle/QueryChaincodeDefinitions, _lifecycle/CheckCommitReadiness
  satisfies
    /Channel/Admins               together with Org2MSP.admin and OrdererMSP.admin
    /Channel/Readers              alone
    /Channel/Writers              alone
    /Channel/Application/Admins   together with Org2MSP.admin
    /Channel/Application/Readers  alone
    /Channel/Application/Writers  alone
  signs changes of
    Channel, Channel/BlockDataHashingStructure, Channel/Capabilities, Channel/HashingAlgorithm and 3 more  together with Org2MSP.admin and OrdererMSP.admin (/Channel/Admins)
    Application, Application/Capabilities, Application/Admins, Application/Endorsement and 3 more  together with Org2MSP.admin (/Channel/Application/Admins)
    Application/Org1, Application/Org1/AnchorPeers, Application/Org1/MSP, Application/Org1/Admins and 3 more  alone (/Channel/Application/Org1/Admins)
`,
  );
});

test('identity prints the reason if an identity is not valid, and a remedy', async (t) => {
  const { status, stdout } = await identity(t, file(certificateOf('Org1/admin')), '--as', 'Org2MSP');
  t.is(status, 2);
  t.is(
    stdout,
    `certificate: Org2MSP CN=Admin@org1.example.com: not valid
  identity
    organisation     /Channel/Application/Org2
    issuer           CN=ca.org1.example.com
    valid            2026-11-21 to 2036-11-18
    serial number    24b7f665d6ef5cbd7f200b7c862ee79b
    chain            none
    OUs              admin
    roles            none
    Fabric's reason  the supplied identity is not valid: x509: certificate signed by unknown authority
  problems
    it is issued by a CA that is in Org1MSP, not in Org2MSP
    → set the MSP id to Org1MSP, or use a certificate of a CA of Org2MSP
  may
    nothing
`,
  );
});

test('identity --json has all fields', async (t) => {
  const { status, stdout } = await identity(t, file(certificateOf('Org1/user1')), '--json');
  t.is(status, 0);
  const { identities } = JSON.parse(stdout) as IdentityReport;
  t.deepEqual(Object.keys(identities[0]!), [
    'place',
    'mspid',
    'mspids',
    'organizations',
    'certificate',
    'chain',
    'valid',
    'reason',
    'roles',
    'units',
    'notAdmin',
    'problems',
    'services',
    'policies',
    'changes',
  ]);
});

for (const [what, write, status] of [
  ['its key', mspFolder('Org1/admin', 'Org1/admin'), 0],
  ['no key', mspFolder('Org1/admin'), 0],
  ['another key', mspFolder('Org1/admin', 'Org1/user1'), 2],
] as const)
  test(`identity of an MSP folder with ${what}: exit status ${status}`, async (t) => {
    t.is((await identity(t, write)).status, status);
  });

test('identity of a file without identities is an error', async (t) => {
  const { status, stderr } = await identity(t, file(bytesIn(configs.app2!)));
  t.is(status, 1);
  t.regex(
    stderr,
    /\/file: this is a common\.Config; a certificate \(PEM\), a serialized identity, an identity of a wallet \(JSON\), a signed envelope or a signed proposal is needed\n$/,
  );
});
