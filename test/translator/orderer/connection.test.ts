// Calls of an orderer over gRPC, with fake orderers on real sockets.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { SecureServerOptions, ServerHttp2Stream } from 'node:http2';
import test from 'ava';
import {
  CommonBlock,
  CommonChannelHeader,
  CommonEnvelope,
  CommonPayload,
  OrdererBroadcastResponse,
  OrdererDeliverResponse,
  OrdererSeekInfo,
} from '../../../proto/messages.js';
import { readMessage, writeMessage } from '../../../proto/typed.js';
import {
  openOrderer,
  seekEnvelope,
  type OrdererOptions,
  type OrdererSign,
  type TlsFault,
} from '../../../translator/orderer/connection.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { freePort } from '../../helpers/free-port.js';
import { frame, grpcServer, respond } from '../../helpers/grpc-server.js';
import { makeCertificate, type Wanted } from '../../helpers/made-certificates.js';
import { ASKING } from '../../helpers/stand-in-orderer.js';

/** The time limit of a call, in milliseconds: longer than a test may take. */
const LONG = 600_000;

test('a call ends early with its signal', async (t) => {
  const controller = new AbortController();
  const closed: Promise<unknown>[] = [];
  const { address } = await grpcServer(t, (stream: ServerHttp2Stream) => {
    closed.push(once(stream, 'close'));
    controller.abort();
  });
  const orderer = await openOrderer({
    address: `${address.host}:${address.port}`,
    cas: undefined,
    timeout: LONG,
  });
  t.teardown(() => orderer.close());
  await t.throwsAsync(orderer.deliver(new Uint8Array([1]), controller.signal), { code: 'UNREACHABLE' });
  t.is(closed.length, 1);
  await closed[0];
});

test('the text of a refusal has no certificate', async (t) => {
  const info = `identity [${'45 '.repeat(50)}45] is not valid`;
  const message = writeMessage(OrdererBroadcastResponse, { status: 400, info });
  const { address } = await grpcServer(t, respond(frame(...message)));
  const orderer = await openOrderer({
    address: `${address.host}:${address.port}`,
    cas: undefined,
    timeout: LONG,
  });
  t.teardown(() => orderer.close());
  t.is((await orderer.broadcast(new Uint8Array([1]))).info, 'identity … is not valid');
});

for (const calls of [12, 100])
  test(`${calls} calls on one connection that share a signal cause no warning of Node.js, and end together`, async (t) => {
    const warnings: Error[] = [];
    const note = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', note);
    t.teardown(() => process.off('warning', note));
    const controller = new AbortController();
    let received = 0;
    const { address } = await grpcServer(t, () => {
      if ((received += 1) === calls) controller.abort();
    });
    const orderer = await openOrderer({
      address: `${address.host}:${address.port}`,
      cas: undefined,
      timeout: LONG,
    });
    t.teardown(() => orderer.close());
    const results = await Promise.all(
      Array.from({ length: calls }, async () => orderer.request(new Uint8Array([1]), controller.signal)),
    );
    t.true(results.every((each) => 'reason' in each));
    t.deepEqual(warnings, []);
  });

const certificates = makeCertificates();
const { cert, key } = certificates.server;
const TLS = { cert: readFileSync(cert), key: readFileSync(key) };
const CAS = readFileSync(certificates.ca.cert);
const FOREIGN = readFileSync(certificates.foreignCa.cert);

const FAULTS: readonly {
  readonly fault: TlsFault;
  readonly reason: string;
  readonly isTls: boolean;
  readonly options: Pick<OrdererOptions, 'cas' | 'serverName'>;
}[] = [
  {
    fault: 'other-ca',
    reason: 'its TLS certificate is not issued by a trusted CA',
    isTls: true,
    options: { cas: FOREIGN },
  },
  {
    fault: 'other-name',
    reason: 'its TLS certificate is for another name',
    isTls: true,
    options: { cas: CAS, serverName: 'orderer9.example.com' },
  },
  { fault: 'no-tls', reason: 'it does not use TLS', isTls: false, options: { cas: CAS } },
  {
    fault: 'needs-tls',
    reason: 'it closed the connection, probably because it uses TLS',
    isTls: true,
    options: { cas: undefined },
  },
];

for (const { fault, reason, isTls, options } of FAULTS)
  for (const advice of [undefined, 'change a setting'])
    test(`the fault ${fault} is: ${reason}, ${advice === undefined ? 'without advice' : 'and the advice follows'}`, async (t) => {
      const { address } = await grpcServer(t, (stream) => stream.close(), isTls ? TLS : undefined);
      const orderer = await openOrderer({
        address: `${address.host}:${address.port}`,
        timeout: LONG,
        ...options,
        ...(advice !== undefined && { advice: { [fault]: advice } }),
      });
      t.teardown(() => orderer.close());
      await t.throwsAsync(orderer.deliver(new Uint8Array([1])), {
        code: 'UNREACHABLE',
        message: advice === undefined ? reason : `${reason}; ${advice}`,
      });
      // It says nothing of the orderer.
      t.like(await orderer.request(new Uint8Array([1])), {
        sign: 'unknown',
        isRefused: false,
        isSent: false,
      });
      await t.throwsAsync(orderer.broadcast(new Uint8Array([1])), { code: 'UNREACHABLE' });
    });

const CA = makeCertificate({ commonName: 'tlsca' });
/** The TLS options of a server with a certificate of the CA. */
const served = (wanted: Partial<Wanted>) => {
  const { pem, key: own } = makeCertificate({
    commonName: 'orderer',
    issuer: CA,
    usage: 'serverAuth',
    ...wanted,
  });
  return { cert: pem, key: own.export({ type: 'pkcs8', format: 'pem' }) };
};
const HERE = ['IP:127.0.0.1', 'DNS:orderer.example.com'];
const client = makeCertificate({ commonName: 'client', issuer: CA, usage: 'clientAuth' });
const CLIENT = {
  certificate: client.pem,
  key: Buffer.from(client.key.export({ type: 'pkcs8', format: 'pem' })),
};

const CONNECTIONS: readonly (readonly [
  what: string,
  server: SecureServerOptions,
  options: Partial<OrdererOptions>,
  reason: string,
  sign: OrdererSign,
])[] = [
  [
    'a certificate that has expired',
    served({ names: HERE, validity: ['20200101000000Z', '20200201000000Z'] }),
    {},
    'its TLS certificate has expired',
    'unknown',
  ],
  [
    'a certificate that is not yet valid',
    served({ names: HERE, validity: ['20480101000000Z', '20490101000000Z'] }),
    {},
    'its TLS certificate is not yet valid',
    'unknown',
  ],
  [
    'a certificate for another IP address',
    served({ names: ['IP:127.0.0.2', 'DNS:orderer'] }),
    {},
    'its TLS certificate is for another name',
    'unknown',
  ],
  [
    'mutual TLS, and no client certificate',
    { ...served({ names: HERE }), requestCert: true, rejectUnauthorized: true, ca: CA.pem },
    {},
    'it requires a client certificate that it trusts',
    'alive',
  ],
];
for (const [what, server, options, reason, sign] of CONNECTIONS)
  test(`a call of an orderer with ${what} fails: ${reason}`, async (t) => {
    const { address } = await grpcServer(t, (stream) => stream.close(), server);
    const orderer = await openOrderer({
      address: `127.0.0.1:${address.port}`,
      cas: CA.pem,
      timeout: LONG,
      ...options,
    });
    t.teardown(() => orderer.close());
    t.deepEqual(await orderer.request(new Uint8Array([1])), {
      sign,
      isRefused: false,
      isSent: false,
      reason,
    });
  });

const BLOCK = { header: { number: 7n } };
for (const [what, server, options, authority] of [
  ['an IP address in its certificate', served({ names: HERE }), {}, undefined],
  [
    'another name in its certificate, which the caller gives',
    served({ names: ['DNS:orderer.example.com'] }),
    { serverName: 'orderer.example.com' },
    'orderer.example.com',
  ],
  [
    'mutual TLS, and a client certificate',
    { ...served({ names: HERE }), requestCert: true, rejectUnauthorized: true, ca: CA.pem },
    { client: CLIENT },
    undefined,
  ],
] as const)
  test(`an orderer with ${what} sends a block`, async (t) => {
    const response = writeMessage(OrdererDeliverResponse, { block: BLOCK });
    const { address, requests } = await grpcServer(t, respond(frame(...response)), server);
    const orderer = await openOrderer({
      address: `127.0.0.1:${address.port}`,
      cas: CA.pem,
      timeout: LONG,
      ...options,
    });
    t.teardown(() => orderer.close());
    const block = await orderer.deliver(new Uint8Array([1]));
    t.is(readMessage(CommonBlock, block).header?.number, 7n);
    t.is(requests[0]?.[':path'], '/orderer.AtomicBroadcast/Deliver');
    if (authority !== undefined) t.is(requests[0]?.[':authority'], authority);
    await orderer.broadcast(new Uint8Array([1])).catch(() => undefined);
    t.is(requests[1]?.[':path'], '/orderer.AtomicBroadcast/Broadcast');
  });

const GARBAGE = Buffer.from('garbage');
for (const [what, options, message] of [
  ['CAs without a certificate', { cas: GARBAGE }, 'the CAs contain no PEM certificate'],
  [
    'a client certificate that is none',
    { client: { ...CLIENT, certificate: GARBAGE } },
    'the client certificate contains no PEM certificate',
  ],
  [
    'a client key that is none',
    { client: { ...CLIENT, key: GARBAGE } },
    'the client key contains no PEM private key',
  ],
  [
    'the client key of another certificate',
    { client: { ...CLIENT, certificate: CA.pem } },
    'the client key does not belong to the client certificate',
  ],
] as const)
  test(`an orderer is not opened with ${what}: ${message}`, async (t) => {
    await t.throwsAsync(openOrderer({ address: 'localhost:1', cas: CA.pem, timeout: LONG, ...options }), {
      code: 'BAD_KEY',
      message,
    });
  });

test('an orderer that ends the stream without a response is alive, and one that refuses connections is silent', async (t) => {
  const { address } = await grpcServer(t, (stream) => stream.close());
  const signOf = async (port: number): Promise<unknown> => {
    const orderer = await openOrderer({ address: `127.0.0.1:${port}`, cas: undefined, timeout: LONG });
    t.teardown(() => orderer.close());
    return orderer.request(new Uint8Array([1]));
  };
  t.like(await signOf(address.port), { sign: 'alive', isRefused: false, isSent: true });
  t.deepEqual(await signOf(await freePort()), {
    sign: 'silent',
    isRefused: false,
    isSent: false,
    reason: 'connection refused',
  });
});

/** Responses of Deliver without a block: the status, and what it shows about the orderer. */
const STATUSES = [
  [undefined, 'alive', 'unknown status (0)'],
  [200, 'alive', 'unknown status (200)'],
  [400, 'alive', 'bad request (400)'],
  [403, 'alive', 'forbidden: the identity is not valid for the channel, or may not read it (403)'],
  [404, 'no-channel', 'the channel or the block does not exist there (404)'],
  [413, 'alive', 'unknown status (413)'],
  [500, 'alive', 'internal error (500)'],
  [503, 'unavailable', 'unavailable: it does not serve the channel now (503)'],
] as const;
for (const [status, sign, reason] of STATUSES)
  test(`an orderer with the status ${status ?? 'of none'} in place of a block is ${sign}: ${reason}`, async (t) => {
    const response = writeMessage(OrdererDeliverResponse, { status });
    const { address } = await grpcServer(t, respond(frame(...response)));
    const orderer = await openOrderer({
      address: `${address.host}:${address.port}`,
      cas: undefined,
      timeout: LONG,
    });
    t.teardown(() => orderer.close());
    const answer = { sign, isRefused: true, isSent: true, status: status ?? 0, reason };
    t.deepEqual(await orderer.request(new Uint8Array([1])), answer);
    await t.throwsAsync(orderer.deliver(new Uint8Array([1])), { code: 'REFUSED', message: reason });
  });

const NOW = new Date('2027-01-02T03:04:05.999Z');
for (const [position, headerOnly, hash, start] of [
  [7n, undefined, undefined, { specified: { number: 7n } }],
  ['newest', true, undefined, { newest: {} }],
  ['oldest', false, Buffer.of(1, 2), { oldest: {} }],
] as const)
  test(`the request for the block ${position}${headerOnly === true ? ', whose data may be omitted' : ''} names it twice, and fails if it does not exist`, async (t) => {
    const envelope = await seekEnvelope({
      ...ASKING,
      position,
      ...(headerOnly !== undefined && { headerOnly }),
      clientCertificateHash: hash,
      now: NOW,
    });
    const { header, data } = readMessage(CommonPayload, readMessage(CommonEnvelope, envelope).payload);
    const channelHeader = readMessage(CommonChannelHeader, header!.channelHeader);
    t.like(channelHeader, { type: 5, channelId: 'ch1', timestamp: { seconds: 1798859045n, nanos: 0 } });
    t.deepEqual(Buffer.from(channelHeader.tlsCertHash), Buffer.from(hash ?? []));
    const seek = readMessage(OrdererSeekInfo, data);
    t.like(seek.start, start);
    t.deepEqual(seek.stop, seek.start);
    // 1 is FAIL_IF_NOT_READY, and HEADER_WITH_SIG_BYTES.
    t.deepEqual([seek.behavior, seek.contentType], [1, headerOnly === true ? 1 : 0]);
  });
