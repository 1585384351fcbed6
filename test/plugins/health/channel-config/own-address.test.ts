import { X509Certificate } from 'node:crypto';
import test from 'ava';
import { consenterAt } from '../../../../plugins/health/channel-config/own-address.js';
import { makeCertificate } from '../../../helpers/made-certificates.js';

const named = (...names: readonly string[]): X509Certificate =>
  new X509Certificate(makeCertificate({ commonName: 'o1.example.com', names }).pem);

const ORDERERS = ['o1.example.com:7050', 'o2.example.com:7050'];

for (const [what, listen, addresses, names, expected] of [
  [
    'the address at which it listens',
    '10.0.0.1:7050',
    ['10.0.0.1:7050', '10.0.0.2:7050'],
    [],
    '10.0.0.1:7050',
  ],
  ['its host in capitals', 'O1.example.com:7050', ORDERERS, [], 'o1.example.com:7050'],
  ['its IPv6 address', '[::1]:7050', ['[::1]:7050', '[::2]:7050'], [], '[::1]:7050'],
  ['another port', '10.0.0.1:7050', ['10.0.0.1:7051'], ['DNS:10.0.0.1'], undefined],
  [
    'several consenters at one host',
    '127.0.0.1:7051',
    ['127.0.0.1:7050', '127.0.0.1:7051'],
    [],
    '127.0.0.1:7051',
  ],
  ['an address of this computer, on all addresses', '0.0.0.0:7050', ['127.0.0.1:7050'], [], '127.0.0.1:7050'],
  ['no address of this computer, on all addresses', ':7050', ['192.0.2.1:7050'], [], undefined],
  ['a name in its certificate', '0.0.0.0:7050', ORDERERS, ['DNS:o2.example.com'], 'o2.example.com:7050'],
  ['an address in its certificate', '10.0.0.9:7050', ['192.0.2.1:7050'], ['IP:192.0.2.1'], '192.0.2.1:7050'],
  ['only the common name of its certificate', '0.0.0.0:7050', ORDERERS, ['DNS:other'], undefined],
  [
    'a wildcard in its certificate',
    '0.0.0.0:7050',
    ['o1.example.com:7050'],
    ['DNS:*.example.com'],
    undefined,
  ],
  [
    'a certificate for several consenters',
    '0.0.0.0:7050',
    ORDERERS,
    ['DNS:o1.example.com', 'DNS:o2.example.com'],
    undefined,
  ],
] as const)
  test(`an orderer that listens at ${listen} is the consenter ${expected ?? 'that nobody knows'} of ${addresses.join(', ')}: ${what}`, (t) => {
    t.is(consenterAt(listen, addresses, named(...names)), expected);
    if (names.length === 0) t.is(consenterAt(listen, addresses, undefined), expected);
  });
