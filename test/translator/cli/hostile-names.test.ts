// Hostile names with line ends, terminal sequences and slashes, through every command that reads a channel or an update: output
// contains them escaped, without additional lines, and elements are not found by their paths.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { editAll, setAcl, setByPath, unsignedUpdate } from '../../../translator/edit/index.js';
import { decode, encode } from '../../../translator/index.js';
import { runCommand } from '../../helpers/cli.js';
import { certificateOf, IDENTITIES } from '../../helpers/channel-vectors.js';
import { BLOCK } from '../../helpers/edits.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { bytesOf, delimited, mapEntry } from '../../helpers/wire.js';

/** Clears the screen, begins a line that looks like program output, and reverses the direction of the text. */
const HOSTILE = 'x\u001b[2J\nconfigtxlator: fine\u202e';
/** The printed form. */
const ESCAPED = String.raw`x\u001b[2J\nconfigtxlator: fine\u202e`;
const JSON_TEXT = JSON.stringify(HOSTILE).slice(1, -1);

/** The block with the name for an organisation, a policy, a channel, a consenter and an endpoint. */
const HOSTILE_BLOCK = encode(
  'common.Block',
  ['"full"', '"Endorsement"', '"edits"', '"o.ord.test"', '"FullMSP"'].reduce(
    (json, name) => json.replaceAll(name, `"${JSON_TEXT}"`),
    decode('common.Block', BLOCK),
  ),
);
const { config, channel } = readConfigFile(HOSTILE_BLOCK);
const { bytes: UPDATE } = unsignedUpdate(
  config,
  editAll(config, [
    (each) => setAcl(each, 'peer/Propose', 'Writers'),
    (each) => setByPath(each, 'orderer.consensusType.metadata.consenters[0].host', HOSTILE),
    (each) => setByPath(each, 'orderer.batchTimeout', '9s'),
    (each) => setByPath(each, 'orderer.kafkaBrokers', JSON.stringify([HOSTILE])),
  ]).config,
  channel!,
);

function makeFiles(t: ExecutionContext): (name: string) => string {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('old.pb'), BLOCK);
  writeFileSync(at('block.pb'), HOSTILE_BLOCK);
  writeFileSync(at('update.pb'), UPDATE);
  mkdirSync(at('folder'));
  writeFileSync(join(at('folder'), 'a.pb'), UPDATE);
  return at;
}

/** Words that end in `.pb`, or are `folder`, are files. */
const COMMANDS: readonly string[] = [
  'show block.pb',
  'show update.pb',
  'check block.pb',
  'diff block.pb old.pb',
  'review update.pb --block block.pb',
  'review update.pb --block block.pb --format markdown',
  'review folder --block block.pb',
  'review update.pb --block old.pb',
  'review update.pb --block block.pb --active 9',
  'verify update.pb --block old.pb',
  'rebase update.pb --block block.pb --base block.pb',
  'rebase update.pb --block old.pb --base block.pb',
  'merge HOSTILE',
  'sign update.pb --msp HOSTILE --mspid Org1MSP',
  'migrate status block.pb',
  'migrate bft block.pb -o out.pb',
  'org remove block.pb nobody',
  'org remove block.pb HOSTILE',
  'anchor-peers set block.pb HOSTILE a:1',
  'anchor-peers set block.pb nobody HOSTILE',
  'endpoints set block.pb orderer HOSTILE',
  'consenter remove block.pb a:1',
  'capabilities set block.pb channel HOSTILE',
  'acl set block.pb peer/Propose HOSTILE',
  'acl remove block.pb HOSTILE',
  'policy set block.pb Application/HOSTILE nonsense',
  'policy remove block.pb Application/nobody',
  'mod-policy set block.pb Orderer HOSTILE',
  'edit block.pb --set HOSTILE=1',
  'edit block.pb --set batchTimeout=HOSTILE',
  'edit block.pb --set batchTimeout=1s --onto update.pb --channel_id HOSTILE',
  'edit old.pb --set batchTimeout=1s --onto update.pb',
];

for (const command of COMMANDS)
  test(`${command} prints hostile names on the lines of the program`, async (t) => {
    const at = makeFiles(t);
    const args = command
      .split(' ')
      .map((word) => (/\.pb$|^folder$/.test(word) ? at(word) : word.replaceAll('HOSTILE', () => HOSTILE)));
    // The output is binary.
    const output = command.includes(' -o ') || /^(?:show|check|diff|review|verify|migrate)/.test(command);
    const { stdout, stderr } = await runCommand(t, output ? args : [...args, '-o', at('output.pb')]);
    const printed = stdout + stderr;
    t.true(printed.includes(ESCAPED), printed);
    // Control and format characters but the line end.
    t.notRegex(printed, /[\p{Cf}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u);
    t.notRegex(printed, /^configtxlator: fine/m);
  });

/** An update of elements with names that look like other paths, in a group with a slash in its name. */
const SLASHES = bytesOf(
  delimited(1, Buffer.from('edits')),
  delimited(2),
  delimited(
    3,
    mapEntry(
      2,
      'Orderer',
      mapEntry(2, 'a/b', '0801', mapEntry(3, 'c/d', '0801', delimited(2, Buffer.from('x')))),
      mapEntry(3, 'Batch/Size', '0801', delimited(2, Buffer.from('x'))),
      mapEntry(3, '/', '0801', delimited(2, Buffer.from('x'))),
      mapEntry(4, 'p/q', '0801'),
    ),
    mapEntry(3, 'Orderer/BatchSize', '0801', delimited(2, Buffer.from('x'))),
  ),
);

const SLASH_LINES = `config update of channel edits
changes
  ~ /Channel/Orderer/BatchSize  changed, version 1: 1 bytes
  + /Channel/Orderer (group)  added: members /, a/b, Batch/Size, p/q
  ~ /Channel/Orderer//  changed, version 1: 1 bytes
  ~ /Channel/Orderer/Batch/Size  changed, version 1: 1 bytes
  ~ /Channel/Orderer/p/q (policy)  changed, version 1: no policy
  ~ /Channel/Orderer/a/b (group)  changed, version 1: members c/d
  ~ /Channel/Orderer/a/b/c/d  changed, version 1: 1 bytes
signatures
  none
`;

test('show and sign show elements with slashes in their names, also in a folder', async (t) => {
  const at = makeFiles(t);
  mkdirSync(at('msp/signcerts'), { recursive: true });
  mkdirSync(at('msp/keystore'));
  writeFileSync(at('msp/signcerts/cert.pem'), certificateOf('Org1/admin'));
  writeFileSync(at('msp/keystore/key'), IDENTITIES['Org1/admin']!.key);
  writeFileSync(at('slash.pb'), SLASHES);
  t.deepEqual(await runCommand(t, ['show', at('slash.pb')]), {
    status: 0,
    stdout: SLASH_LINES,
    stderr: '',
  });
  mkdirSync(at('slashes'));
  writeFileSync(at('slashes/a.pb'), SLASHES);
  for (const args of [[at('slash.pb'), '-o', at('signed.pb')], [at('slashes')]]) {
    const { status, stderr } = await runCommand(t, [
      'sign',
      ...args,
      '--msp',
      at('msp'),
      '--mspid',
      'Org1MSP',
      '--unreviewed',
    ]);
    t.is(status, 0);
    t.true(stderr.includes(SLASH_LINES), stderr);
  }
  t.is((await runCommand(t, ['review', at('slash.pb'), '--block', at('old.pb')])).status, 2);
});
