// Files that are not messages: text and archives of other programs, and messages that were damaged in transfers.

import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import test from 'ava';
import { describeUnknown } from '../../../translator/channel/foreign.js';
import { readPageFile } from '../../../translator/page/files.js';
import { certificateOf } from '../../helpers/channel-vectors.js';
import { runCommand } from '../../helpers/cli.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { networkBlock } from '../../helpers/network-block.js';

const BLOCK = Buffer.from(networkBlock());
const PEM = certificateOf('Org1/admin').toString();
const DER = Buffer.from(PEM.replaceAll(/-----.*-----|\s/g, ''), 'base64');
/** Bytes converted as if they were text, to the encoding `to`. */
const converted = (from: 'latin1' | 'utf8', to: 'latin1' | 'utf8'): Buffer =>
  Buffer.from(BLOCK.toString(from), to);
const crlf = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
const lines = (text: string): string => text.replaceAll(/.{60}/g, '$&\n');
const TAR = Buffer.alloc(512);
TAR.write('ustar', 257);

const OLD_WALLET = JSON.stringify({
  name: 'admin',
  mspid: 'Org1MSP',
  enrollment: { signingIdentity: '0', identity: { certificate: PEM } },
});
const WALLET = JSON.stringify({ credentials: { certificate: PEM }, mspId: 'Org1MSP', type: 'X.509' });

const DAMAGED = 'a common.Block that was damaged by a transfer in text mode (each line feed became CR LF)';

/** The files, and their names in errors. */
const FILES: readonly (readonly [what: string, file: Buffer, is: string])[] = [
  ['a block after a transfer in text mode', crlf(BLOCK), DAMAGED],
  [
    'half of a block after a transfer in text mode',
    crlf(BLOCK.subarray(0, 9000)),
    'a message that was damaged by a transfer in text mode (each line feed became CR LF)',
  ],
  [
    'a block that was read as UTF-8',
    converted('utf8', 'utf8'),
    'a message that was damaged (it was read as text, and bytes that are not UTF-8 became U+FFFD)',
  ],
  [
    'a block that was read as Latin-1',
    converted('latin1', 'utf8'),
    'a common.Block that was damaged (it was converted from Latin-1 to UTF-8)',
  ],
  ['half of a block', BLOCK.subarray(0, 9000), 'a message that ends in the middle, after 9000 bytes'],
  [
    'a block without its first bytes',
    BLOCK.subarray(7),
    'no block, envelope, config or config update, or a damaged one',
  ],
  ['a block in hexadecimal', Buffer.from(BLOCK.toString('hex')), 'a common.Block in hexadecimal'],
  [
    'a block in lines of capital hexadecimal digits',
    Buffer.from(`0x${lines(BLOCK.toString('hex').toUpperCase())}\n`),
    'a common.Block in hexadecimal',
  ],
  ['other hexadecimal digits', Buffer.from('00ff'.repeat(20)), 'hexadecimal'],
  [
    'a dump of xxd',
    Buffer.from('00000000: 0a22 1a20 4f6c 7fba c9e8 bde8 8274 f7  ..". Ol.......t.\n'),
    'a hex dump',
  ],
  ['a dump of hexdump -C', Buffer.from('00000000  0a 22 1a 20 4f 6c 7f ba  |."..Ol..|\n'), 'a hex dump'],
  ['a block in base64', Buffer.from(lines(BLOCK.toString('base64'))), 'a common.Block in base64'],
  [
    'a PEM file in base64',
    Buffer.from(lines(Buffer.from(PEM).toString('base64'))),
    'a PEM file (CERTIFICATE) in base64',
  ],
  ['other base64', Buffer.from(Buffer.alloc(90, 255).toString('base64')), 'base64'],
  ['a PEM file', Buffer.from(PEM), 'a PEM file (CERTIFICATE)'],
  [
    'a PEM file after other text',
    Buffer.from(`Bag Attributes\n    friendlyName: x\n${PEM}`),
    'a PEM file (CERTIFICATE)',
  ],
  [
    'an escaped PEM file',
    Buffer.from(PEM.replaceAll('\n', String.raw`\n`)),
    String.raw`a PEM file (CERTIFICATE) with \n instead of line ends`,
  ],
  [
    'an escaped PEM file with CR',
    Buffer.from(PEM.replaceAll('\n', String.raw`\r\n`)),
    String.raw`a PEM file (CERTIFICATE) with \n instead of line ends`,
  ],
  [
    'a PEM file as a JSON string',
    Buffer.from(JSON.stringify(PEM)),
    String.raw`a PEM file (CERTIFICATE) with \n instead of line ends`,
  ],
  ['a certificate in DER', DER, 'a file in DER, such as a certificate'],
  ['an identity of a wallet of an SDK 1.x', Buffer.from(OLD_WALLET), 'an identity of a wallet'],
  ['an identity of a wallet of an SDK 2.x', Buffer.from(WALLET), 'an identity of a wallet'],
  [
    'an error page',
    Buffer.from('\n<!DOCTYPE html>\n<html><body>502 Bad Gateway</body></html>'),
    'an HTML page, such as an error page',
  ],
  ['an error in XML', Buffer.from('<?xml version="1.0"?><Error/>'), 'an XML document'],
  ['a gzip file', gzipSync(BLOCK), 'a gzip file'],
  ['a ZIP archive', Buffer.from('504b0304140000', 'hex'), 'a ZIP archive'],
  ['a tar archive', TAR, 'a tar archive'],
  ['text in UTF-16', Buffer.from(`\ufeff${PEM}`, 'utf16le'), 'text in UTF-16'],
  [
    'JSON of osnadmin',
    Buffer.from('{"name":"ch1","status":"active","height":5}'),
    'a JSON object of another kind',
  ],
  ['a block in JSON', Buffer.from('{"header":{},"data":{},"metadata":{}}'), 'the JSON of a common.Block'],
  ['JSON with a byte order mark', Buffer.from('\ufeff{"data":{}}'), 'JSON with a byte order mark'],
  ['the beginning of JSON', Buffer.from('{"data":'), 'text that is not a JSON object'],
  ['an empty file', Buffer.alloc(0), 'an empty file'],
  [
    'a log',
    Buffer.from('2026-11-26 UTC [channelCmd] fetch -> INFO 001'),
    'no block, envelope, config or config update',
  ],
];

for (const [what, file, is] of FILES)
  test(`${what} is ${is}`, (t) => {
    t.is(describeUnknown(file), is);
  });

/** The inputs, and the needed kind of file in errors. */
const COMMANDS: readonly (readonly [args: readonly string[], needed: string])[] = [
  [['show', 'FILE'], 'a config block or a config update is needed'],
  [['check', 'FILE'], 'a config block is needed'],
  [['review', 'FILE', '--block', 'BLOCK'], 'a config update is needed'],
  [['verify', 'FILE', '--block', 'BLOCK'], 'a config update is needed'],
  [['sign', 'FILE'], 'a config update is needed'],
  [['merge', 'FILE'], 'a config update is needed'],
  [
    ['identity', 'FILE', '--block', 'BLOCK'],
    'a certificate (PEM), a serialized identity, an identity of a wallet (JSON), a signed envelope or a signed proposal is needed',
  ],
];

for (const [what, file, is] of [
  ['a block after a transfer in text mode', crlf(BLOCK), DAMAGED],
  ['a block in hexadecimal', Buffer.from(BLOCK.toString('hex')), 'a common.Block in hexadecimal'],
] as const) {
  test(`all commands and the page name ${what}: ${is}`, async (t) => {
    const folder = temporaryFolder(t);
    const [path, block] = [join(folder, 'file'), join(folder, 'block')];
    writeFileSync(path, file);
    writeFileSync(block, BLOCK);
    for (const [args, needed] of COMMANDS) {
      const given = args.map((word) => ({ FILE: path, BLOCK: block })[word] ?? word);
      const { status, stderr } = await runCommand(t, given);
      t.deepEqual(
        [args[0], status, stderr],
        [args[0], 1, `configtxlator: error: ${path}: this is ${is}; ${needed}\n`],
      );
    }
    const page = readPageFile({ path, bytes: file, size: file.length });
    t.deepEqual(
      [page.error, page.identities],
      [`this is ${is}; a config block or a config update is needed`, undefined],
    );
  });
}

for (const [what, file, hint] of [
  ['a block after a transfer in text mode', crlf(BLOCK), DAMAGED],
  [
    'a block in hexadecimal',
    Buffer.from(BLOCK.toString('hex')),
    'a common.Block in hexadecimal, not a serialized message',
  ],
  [
    'an error page',
    Buffer.from('<html>502</html>'),
    'an HTML page, such as an error page, not a serialized message',
  ],
  ['a gzip file', gzipSync(BLOCK), 'a gzip file, not a serialized message'],
] as const)
  test(`the hint of proto_decode for ${what} is ${hint}`, async (t) => {
    const path = join(temporaryFolder(t), 'file');
    writeFileSync(path, file);
    const args = ['proto_decode', '--type', 'common.Block', '--input', path];
    const { status, stderr } = await runCommand(t, args);
    t.is(status, 1);
    t.true(stderr.endsWith(` (the input is ${hint})\n`), stderr);
  });
