import test from 'ava';
import { createPartNames } from '../../../../plugins/health/certificates/part-names.js';

const nameOf = createPartNames([
  '/etc/peer/msp',
  '/etc/peer/tls/server.crt',
  '/etc/orderer/msp',
  '/etc/peer/ch1.block',
]);

for (const [path, name] of [
  ['/etc/peer/msp', 'peer/msp'],
  ['/etc/peer/msp/signcerts/cert.pem', 'peer/msp/signcerts/cert.pem'],
  ['/etc/orderer/msp/cacerts/ca.pem#2', 'orderer/msp/cacerts/ca.pem#2'],
  ['/etc/peer/tls/server.crt', 'server.crt'],
  ['/etc/peer/tls/server.crt#2', 'server.crt#2'],
  ['/etc/peer/ch1.block#Org1MSP', 'ch1.block#Org1MSP'],
  ['/elsewhere.pem', '/elsewhere.pem'],
] as const)
  test(`${path} is named ${name}`, (t) => {
    t.is(nameOf(path), name);
  });

test('a name of 250 characters is kept', (t) => {
  const path = `/etc/peer/msp/${'x'.repeat(241)}`;
  t.is(nameOf(path), `peer/msp/${'x'.repeat(241)}`);
  t.is(nameOf(`${path}y`), `…er/msp/${'x'.repeat(241)}y`);
});

test('of a name that is too long the end is kept', (t) => {
  t.is(nameOf(`/etc/peer/msp/${'x'.repeat(300)}`), `…${'x'.repeat(249)}`);
});
