// Versions and framings of HTTP that the services refuse, although Node's parser accepts them.

import test from 'ava';
import { protocolProblem } from '../../../../core/common/server/protocol.js';

type Case = readonly [version: string, coding: string | undefined, status: number, reason: string];

const REFUSED: readonly Case[] = [
  ['2.0', undefined, 505, 'unsupported protocol version HTTP/2.0; HTTP/1.0 and HTTP/1.1 are supported'],
  ['0.9', undefined, 505, 'unsupported protocol version HTTP/0.9; HTTP/1.0 and HTTP/1.1 are supported'],
  ['1.0', 'chunked', 400, 'a request of HTTP/1.0 has no Transfer-Encoding'],
  ...['gzip, chunked', 'chunked, chunked', 'identity', '', 'x'].map((coding): Case => [
    '1.1',
    coding,
    501,
    `Unsupported transfer encoding '${coding}'; only chunked is supported`,
  ]),
];
for (const [version, coding, status, reason] of REFUSED)
  test(`HTTP/${version} with the Transfer-Encoding ${coding ?? 'of no header'} is refused with ${status}`, (t) => {
    const headers = coding === undefined ? {} : { 'transfer-encoding': coding };
    t.deepEqual(protocolProblem({ httpVersion: version, headers, rawHeaders: [] }), { status, reason });
  });

for (const [version, headers] of [
  ['1.0', {}],
  ['1.1', {}],
  ['1.1', { 'transfer-encoding': 'chunked' }],
  ['1.1', { 'transfer-encoding': 'Chunked' }],
] as const)
  test(`HTTP/${version} with ${JSON.stringify(headers)} is accepted`, (t) => {
    t.is(protocolProblem({ httpVersion: version, headers, rawHeaders: [] }), undefined);
  });

for (const [rawHeaders, isTwice] of [
  [[], false],
  [['Host', 'a'], false],
  [['Host', 'a', 'HOST', 'b'], true],
  [['Host', 'host', 'X', 'host'], false],
] as const)
  test(`the headers ${rawHeaders.join(' ')} are ${isTwice ? 'refused: they have more than one Host' : 'accepted'}`, (t) => {
    t.deepEqual(
      protocolProblem({ httpVersion: '1.1', headers: {}, rawHeaders: [...rawHeaders] }),
      isTwice ? { status: 400, reason: 'the request has more than one Host header' } : undefined,
    );
  });
