import test from 'ava';
import { checkOptions } from '../../../../core/host/load.js';
import otlp from '../../../../plugins/metrics/otlp/index.js';
import { declaration } from '../../../helpers/agent.js';

const ENDPOINT = 'must be a URL that begins with http:// or https://, without user name and fragment';

const CASES: readonly (readonly [option: string, value: unknown, problem: string | undefined])[] = [
  ['endpoint', 'http://127.0.0.1:4318/v1/metrics', undefined],
  ['endpoint', 'https://[::1]/a?b=c', undefined],
  ['endpoint', 'collector:4318', ENDPOINT],
  ['endpoint', 'ftp://collector', ENDPOINT],
  ['endpoint', 'http://user:secret@collector', ENDPOINT],
  ['endpoint', 'http://collector/#a', ENDPOINT],
  ['endpoint', 7, ENDPOINT],
  ['headers', { 'X-Scope-OrgID': 'org1' }, undefined],
  ['headers', { 'Content-Type': 'a' }, 'must not contain the header Content-Type'],
  ['headers', { 'a b': 'c' }, 'must be a mapping of names of HTTP headers to their values'],
  ['headers', { a: 'b\r\nc: d' }, 'must be a mapping of names of HTTP headers to their values'],
  ['headers', { a: 1 }, 'must be a mapping of headers to strings'],
  ['headers', ['a'], 'must be a mapping of headers to strings'],
  ['headers', 'a', 'must be a mapping of headers to strings'],
  ['resource', { 'service.namespace': 'org1' }, undefined],
  ['resource', { 'service.name': 'x' }, "must not contain the attribute 'service.name'"],
  ['resource', { '': 'x' }, "must not contain the attribute ''"],
  ['resource', { a: null }, 'must be a mapping of attributes to strings'],
  ['compression', 'zstd', 'must be one of gzip, none'],
];

for (const [option, value, problem] of CASES)
  test(`${option} ${JSON.stringify(value)} is ${problem === undefined ? 'valid' : `refused: ${problem}`}`, (t) => {
    const { problems } = checkOptions(otlp, declaration({ plugin: 'otlp', options: { [option]: value } }));
    t.is(problems.length, problem === undefined ? 0 : 1);
    if (problem !== undefined)
      t.true(
        problems[0]?.startsWith(`test.yaml:1: plugins[0]: plugin otlp: options.${option}: ${problem}`),
        problems[0],
      );
    // Headers are secrets.
    if (option === 'headers') t.false((problems[0] ?? '').includes('value was {'));
  });

for (const url of [
  'http://user:hunter2@collector/',
  'http://user:hunt@er2@collector',
  'http://hunter2@a/#b',
  'ftp://a:hunt/er2@b',
])
  test(`the credentials of the endpoint ${url} are not in the problem`, (t) => {
    const { problems } = checkOptions(otlp, declaration({ plugin: 'otlp', options: { endpoint: url } }));
    const [scheme, host] = [url.slice(0, url.indexOf('//')), url.slice(url.lastIndexOf('@') + 1)];
    t.deepEqual(problems, [
      `test.yaml:1: plugins[0]: plugin otlp: options.endpoint: ${ENDPOINT}: value was "${scheme}//********@${host}"`,
    ]);
  });
