// The translator with the limits of config/deploy/kubernetes/configtxlator.yaml receives the worst requests of 10 MB. Without a memory
// cgroup only the heap is limited.

import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { parse } from 'yaml';
import { startProgram, TRANSLATOR } from '../helpers/program.js';
import { BOUNDARY, rawRequest, writeForm } from '../helpers/translator.js';
import { limitMemory } from './memory-limit.js';
import { sendUnread } from './unread.js';

const MANIFEST = 'config/deploy/kubernetes/configtxlator.yaml';
const TEN_MB = 10 * 1024 * 1024;

/** What the manifest runs, and with which limit. */
function readManifest(): { args: string[]; environment: Record<string, string>; mebibytes: number } {
  const [document = ''] = readFileSync(MANIFEST, 'utf8').split(/^---$/m).slice(-2);
  const { spec } = parse(document) as {
    spec: {
      template: {
        spec: {
          containers: {
            args: string[];
            env: { name: string; value: string }[];
            resources: { limits: { memory: string } };
          }[];
        };
      };
    };
  };
  const { args, env, resources } = spec.template.spec.containers[0]!;
  return {
    args: [
      ...args.slice(1).filter((arg) => !/^--(?:hostname|port)=/.test(arg)),
      '--hostname=127.0.0.1',
      '--port=0',
    ],
    environment: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    mebibytes: Number(/^(\d+)Mi$/.exec(resources.limits.memory)?.[1]),
  };
}

async function startManifest(t: ExecutionContext) {
  const { args, environment, mebibytes } = readManifest();
  const { under, peak } = limitMemory(t, mebibytes);
  const program = startProgram(t, args, { program: TRANSLATOR, environment, under });
  const [, port = ''] = await program.line(/Serving HTTP requests on \S+:(\d+)/);
  const servesOn = async (): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/protolator/decode/common.LastConfig`, {
      method: 'POST',
      body: Buffer.from([8, 7]),
    });
    t.is(await response.text(), '{\n\t"index": "7"\n}\n');
    t.log(`at most ${peak()} of ${mebibytes} MiB`);
    program.child.kill('SIGTERM');
    t.is((await program.ended).status, 0);
  };
  return { port: Number(port), servesOn };
}

const delimited = (tag: number, content: Buffer): Buffer => {
  const length: number[] = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest > 127 ? (rest % 128) + 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const repeated = (unit: Buffer, size = TEN_MB): Buffer =>
  Buffer.concat(Array.from({ length: Math.floor(size / unit.length) }, () => unit));
/** 5,000 nested groups in 50 KB become 200 MB of JSON. */
function nestedGroups(): Buffer {
  let group: Buffer = Buffer.alloc(0);
  for (let depth = 0; depth < 4990; depth += 1)
    group = delimited(0x12, Buffer.concat([Buffer.from([0x0a, 1, 0x61]), delimited(0x12, group)]));
  return group;
}

/** Maps of small groups with different names. @param padding the bytes that each name has besides its number */
function wideConfig(seed: string, padding: number): Buffer {
  const entries: Buffer[] = [];
  for (let size = 0, n = 0; size < TEN_MB / 2 - 200_000; n += 1) {
    const name = `${seed.repeat(padding)}${n.toString(36)}`;
    const entry = delimited(0x12, delimited(0x0a, Buffer.from(name)));
    entries.push(entry);
    size += entry.length;
  }
  return delimited(0x12, Buffer.concat(entries));
}

const form = (padding: number): Buffer =>
  writeForm([
    { name: 'original', filename: 'o', content: wideConfig('a', padding) },
    { name: 'updated', filename: 'u', content: wideConfig('b', padding) },
    { name: 'channel', content: 'c' },
  ]);
const FORM_TYPE = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;

const CASES: readonly (readonly [string, string, () => Buffer, (readonly string[])?])[] = [
  ['nested groups', '/protolator/decode/common.ConfigGroup', nestedGroups],
  ['empty strings', '/protolator/decode/common.OrdererAddresses', () => repeated(Buffer.from([0x0a, 0]))],
  ['empty transactions', '/protolator/decode/common.BlockData', () => repeated(Buffer.from([0x0a, 0]))],
  [
    'empty messages',
    '/protolator/decode/common.ConfigUpdateEnvelope',
    () => repeated(Buffer.from([0x12, 0])),
  ],
  [
    'one string of characters with long escapes',
    '/protolator/decode/common.OrdererAddresses',
    () => delimited(0x0a, Buffer.alloc(TEN_MB - 10, '<')),
  ],
  [
    'JSON of empty objects',
    '/protolator/encode/common.ConfigUpdateEnvelope',
    () => Buffer.from(`{"signatures":[${'{},'.repeat(1_800_000)}{}]}`),
  ],
  [
    'JSON of 3.9 MB of empty objects',
    '/protolator/encode/common.ConfigUpdateEnvelope',
    () => Buffer.from(`{"signatures":[${'{},'.repeat(1_300_000)}{}]}`),
  ],
  ['two configs of small groups', '/configtxlator/compute/update-from-configs', () => form(1), [FORM_TYPE]],
  [
    'two configs of as many groups as are allowed',
    '/configtxlator/compute/update-from-configs',
    () => form(200),
    [FORM_TYPE],
  ],
];

for (const [what, path, body, headers] of CASES)
  test.serial(
    `the translator of the manifest survives ${what}, sent by ten clients that do not read`,
    async (t) => {
      const { port, servesOn } = await startManifest(t);
      const request = rawRequest(`POST ${path}`, headers, body());
      const sockets = await Promise.all(Array.from({ length: 10 }, () => sendUnread(t, port, request)));
      // Each either has received what fits into its buffers, or was closed.
      await Promise.all(
        sockets.map(
          (socket) =>
            new Promise<void>((resolve) => {
              socket.once('readable', resolve);
              socket.once('close', () => resolve());
            }),
        ),
      );
      await servesOn();
    },
  );
