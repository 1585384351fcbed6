// Programs of Fabric and their processes, with scripts in their place.

import { chmodSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { FabricProcess, findProgram, hostFaultIn } from '../../../translator/rehearse/nodes.js';
import { temporaryFolder } from '../../helpers/folder.js';

function script(t: ExecutionContext, name: string, lines: string): string {
  const directory = temporaryFolder(t);
  writeFileSync(join(directory, name), `#!/bin/sh\n${lines}\n`);
  chmodSync(join(directory, name), 0o755);
  return directory;
}

test('a program in a relative directory is found by nodes that run in another one', async (t) => {
  const directory = script(t, 'orderer', "printf 'orderer:\\n Version: v3.1.5\\n'");
  const { path } = await findProgram(relative('.', directory), 'orderer');
  t.is(path, join(directory, 'orderer'));
});

for (const line of [
  'panic: listen tcp 127.0.0.1:10007: bind: address already in use',
  'WARN [orderer.consensus.etcdraft] run -> failed to preallocate: no space left on device',
])
  test(`the host does not let a node run whose log has: ${line}`, (t) => {
    const log = `2026-11-29 17:41:52.487 UTC 0005 \u001b[33mINFO\u001b[0m start\n${line}\nend\n`;
    const directory = temporaryFolder(t, {
      'orderer1/log': log,
      'orderer2/log': 'end\n',
      'genesis.block': '',
    });
    t.is(hostFaultIn(directory), `orderer1: ${line}`);
  });

test('the host lets nodes run whose logs have other errors', (t) => {
  t.is(hostFaultIn(temporaryFolder(t, { 'peer1/log': 'panic: no such channel\n' })), undefined);
});

test('the version of a program is what it prints', async (t) => {
  const directory = script(t, 'orderer', "printf 'orderer:\\n Version: v3.1.5\\n Commit SHA: 86c\\n'");
  t.deepEqual(await findProgram(directory, 'orderer'), {
    path: join(directory, 'orderer'),
    version: '3.1.5',
  });
});

for (const [what, lines] of [
  ['prints nothing', 'exit 0'],
  ['is another one of Fabric', "printf 'peer:\\n Version: v3.1.5\\n'"],
  ['fails', 'exit 3'],
] as const)
  test(`a program that ${what} is not the orderer`, async (t) => {
    const directory = script(t, 'orderer', lines);
    await t.throwsAsync(findProgram(directory, 'orderer'), {
      code: 'BAD_NODE',
      message: `${join(directory, 'orderer')} is not the program orderer of Fabric: it prints no version`,
    });
  });

test('a directory without the program is named', async (t) => {
  const directory = temporaryFolder(t);
  await t.throwsAsync(findProgram(directory, 'peer'), {
    code: 'BAD_NODE',
    message: `${join(directory, 'peer')} is not a program that can be run`,
  });
});

function process(t: ExecutionContext, lines: string): FabricProcess {
  const directory = script(t, 'orderer', lines);
  const keys = { certificate: '', key: '' };
  const values = {
    name: 'orderer1',
    kind: 'orderer',
    mspId: 'OrdererMSP',
    directory,
    msp: directory,
    tls: { server: keys, client: keys, roots: '' },
    ports: { service: 1, operations: 1, admin: 1 },
  } as const;
  return new FabricProcess(values, join(directory, 'orderer'));
}

for (const [what, lines, line] of [
  ['a panic', "echo 'ERRO first'; echo 'panic: no such channel'; echo 'ERRO last'", 'panic: no such channel'],
  ['a panic of the logger', "printf '\\033[31mPANI 001\\033[0m no key\\n'", 'PANI 001 no key'],
  ['errors', "echo 'ERRO first'; echo 'ERRO last'; echo end", 'ERRO last'],
  [
    'a line of a real log',
    "echo '2026-11-29 14:36:53.969 UTC 0055 PANI [orderer.common.server] Main -> no key'",
    'PANI [orderer.common.server] Main -> no key',
  ],
  [
    'a warning after a handshake that the test for readiness broke off',
    "echo 'WARN first'; echo 'ERRO [core.comm] ServerHandshake -> Server TLS handshake failed in 8ms with error EOF'",
    'WARN first',
  ],
  [
    'a warning after an invalid transaction of the probes',
    "echo 'WARN first'; echo 'ERRO [committer.txvalidator] validateTx -> Invalid transaction with index 1'",
    'WARN first',
  ],
  [
    'a warning after a transaction of the probes that does not parse',
    "echo 'WARN first'; echo 'ERRO [protoutils] ValidateTransaction -> validateEndorserTransaction returns err error unmarshalling Transaction: proto: cannot parse'",
    'WARN first',
  ],
  ['a warning', "echo 'WARN first'; echo end", 'WARN first'],
  ['nothing', 'exit 1', 'no reason'],
] as const)
  test(`a node that ends during its start is told with the line of its log: ${what}`, async (t) => {
    await t.throwsAsync(process(t, lines).start(), {
      code: 'BAD_NODE',
      message: `orderer1 ended during its start: ${line}`,
    });
  });

test('the line of the log is one since the last start', async (t) => {
  const node = process(t, 'if [ -e again ]; then exit 1; fi; touch again; echo "panic: the first time"');
  await t.throwsAsync(node.start(), { message: 'orderer1 ended during its start: panic: the first time' });
  await t.throwsAsync(node.start(), { message: 'orderer1 ended during its start: no reason' });
  t.is(node.log(), 'panic: the first time\n');
});

test('a start can be aborted, and the process is there until it is stopped', async (t) => {
  const node = process(t, 'exec sleep 3600');
  await t.throwsAsync(node.start({}, AbortSignal.abort(new Error('enough'))), { message: 'enough' });
  t.not(node.pid, undefined);
  await node.stop();
  t.is(node.pid, undefined);
  t.true(node.isStopped);
});
