// Requests as existing clients send them: each client receives the same result.

import test, { type ExecutionContext } from 'ava';
import { OPERATIONS } from '../../../translator/http/operations.js';
import { recordedRequest } from '../../helpers/network-block.js';
import * as translator from '../../../translator/index.js';
import { exchangeRaw } from '../../helpers/raw-http.js';
import { rawRequest, startTranslator } from '../../helpers/translator.js';

/** Sends a request to a new translator and returns the body of the response, which must be a 200. */
async function post(
  t: ExecutionContext,
  path: string,
  headers: readonly string[],
  body: string | Uint8Array,
): Promise<Buffer> {
  const { port } = await startTranslator(t, { operations: OPERATIONS });
  const request = rawRequest(`POST ${path}`, headers, Buffer.from(body as string));
  const { bytes } = await exchangeRaw(port, request);
  t.true(bytes.startsWith('HTTP/1.1 200 OK\r\n'), bytes);
  t.notRegex(bytes, /^Content-Encoding:/im);
  return Buffer.from(bytes.slice(bytes.indexOf('\r\n\r\n') + 4), 'latin1');
}

/** How a client library writes a form. */
interface Client {
  readonly client: string;
  readonly boundary: string;
  /** The Content-Disposition after `name=` and further headers, in the order of the client; `%` stands for the name. */
  readonly parts: Readonly<Record<'channel' | 'original' | 'updated', string>>;
}

const OCTETS = '\r\nContent-Type: application/octet-stream';
const BINARY = `${OCTETS}\r\nContent-Transfer-Encoding: binary`;
const CLIENTS: readonly Client[] = [
  {
    client: 'curl',
    boundary: '------------------------4ebf00fbcf09d1aa',
    parts: {
      channel: '"%"',
      original: `"%"; filename="config.pb"${OCTETS}`,
      updated: `"%"; filename="updated_config.pb"${OCTETS}`,
    },
  },
  {
    client: 'fabric-sdk-java (Apache HttpClient in browser mode)',
    boundary: 'kWAGy0WX_3f6DpWS2qJH0C3yYgVvGgXNX',
    parts: {
      original: `"%"; filename="originalFakeFilename"${OCTETS}`,
      updated: `"%"; filename="updatedFakeFilename"${OCTETS}`,
      channel: '"%"',
    },
  },
  {
    client: 'Apache HttpClient in strict mode',
    boundary: 'kWAGy0WX_3f6DpWS2qJH0C3yYgVvGgXNX',
    parts: {
      original: `"%"; filename="original.proto"${BINARY}`,
      updated: `"%"; filename="updated.proto"${BINARY}`,
      channel: `"%"${BINARY}`,
    },
  },
  {
    client: 'fabric-common (request, axios with form-data)',
    boundary: '--------------------------515890814546601021194782',
    parts: {
      channel: '"%"',
      updated: `"%"; filename="updated.proto"${OCTETS}`,
      original: `"%"; filename="original.proto"${OCTETS}`,
    },
  },
  {
    client: 'Python requests',
    boundary: '0b7a0b3f2f0a4a4e9b0c2d3e4f5a6b7c',
    parts: { channel: '"%"', original: '"%"; filename="%"', updated: '"%"; filename="%"' },
  },
  {
    client: 'a browser',
    boundary: '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    parts: {
      original: `"%"; filename="original.pb"${OCTETS}`,
      updated: `"%"; filename="updated_proto.pb"${OCTETS}`,
      channel: '"%"',
    },
  },
];

for (const { client, boundary, parts } of CLIENTS) {
  test(`an update is computed from a form sent by ${client}`, async (t) => {
    const content = {
      channel: Buffer.from('ch'),
      original: translator.encode('common.Config', '{"channel_group":{"mod_policy":"A"}}'),
      updated: translator.encode('common.Config', '{"channel_group":{"mod_policy":"B"}}'),
    };
    const body = Buffer.concat([
      ...Object.entries(parts).flatMap(([name, headers]) => [
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name=${headers.replaceAll('%', name)}`),
        Buffer.from('\r\n\r\n'),
        content[name as keyof typeof parts],
        Buffer.from('\r\n'),
      ]),
      Buffer.from(`--${boundary}--\r\n`),
    ]);
    const update = await post(
      t,
      '/configtxlator/compute/update-from-configs',
      [`Content-Type: multipart/form-data; boundary=${boundary}`],
      body,
    );
    t.deepEqual(update, Buffer.from(translator.computeUpdate(content.original, content.updated, 'ch')));
  });
}

/** The request headers of clients. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  curl: ['User-Agent: curl/7.88.1', 'Accept: */*', 'Content-Type: application/x-www-form-urlencoded'],
  'fabric-sdk-java': [
    'Content-Type: text/plain; charset=ISO-8859-1',
    'User-Agent: Apache-HttpClient/4.5.13 (Java/11.0.16)',
    'Accept-Encoding: gzip,deflate',
  ],
  apollo: ['Content-Type: text/plain;charset=UTF-8', 'Origin: https://console', 'Accept: */*'],
  'axios through a forwarding proxy': [
    'Content-Type: application/x-www-form-urlencoded',
    'Accept: application/json, text/plain, */*',
    'Accept-Encoding: gzip, compress, deflate, br',
    'X-Forwarded-For: 10.0.0.1',
    'Via: 1.1 proxy',
    'Cookie: a=b',
  ],
  'Python requests': ['Accept-Encoding: gzip, deflate', 'Content-Type: application/json'],
};

for (const [client, headers] of Object.entries(HEADERS)) {
  test(`a block sent by ${client} is encoded and decoded`, async (t) => {
    const block = recordedRequest('network.river.orderer-00.decode');
    const json = translator.decode('common.Block', block);
    const encoded = await post(t, '/protolator/encode/common.Block', headers, json);
    t.deepEqual(encoded, Buffer.from(translator.encode('common.Block', json)));
    const decoded = await post(t, '/protolator/decode/common.Block', headers, encoded);
    t.is(decoded.toString(), json);
  });
}

for (const name of [
  'LastConfig',
  'Metadata',
  'MetadataSignature',
  'Header',
  'ChannelHeader',
  'SignatureHeader',
  'Payload',
  'Envelope',
  'Block',
  'BlockHeader',
  'BlockData',
  'BlockMetadata',
  'Config',
  'ConfigEnvelope',
  'ConfigUpdate',
  'Configuration',
]) {
  test(`common.${name}, which stitch and others use, is a known type`, async (t) => {
    t.deepEqual(await post(t, `/protolator/encode/common.${name}`, [], '{}'), Buffer.of());
    const decoded = await post(t, `/protolator/decode/common.${name}`, [], '');
    t.is(decoded.toString(), translator.decode(`common.${name}`, Buffer.of()));
  });
}
