import test from 'ava';
import { createPartNames } from '../../../../plugins/health/certificates/part-names.js';

const named = createPartNames([
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
  test(`${path} is named ${name}, and its path is in the reason`, (t) => {
    t.deepEqual(named({ component: path, reason: 'expired', severity: 'warning' }), {
      component: name,
      reason: `expired (${path})`,
      severity: 'warning',
    });
  });

test('a name of 250 characters is kept', (t) => {
  const path = `/etc/peer/msp/${'x'.repeat(241)}`;
  t.is(named({ component: path, reason: '' }).component, `peer/msp/${'x'.repeat(241)}`);
  t.is(
    named({ component: `${path}y`, reason: '' }).component,
    `…eer/msp/${'x'.repeat(241)}y`.replace('…eer', '…er'),
  );
});

test('of a name that is too long the end is kept', (t) => {
  const { component } = named({ component: `/etc/peer/msp/${'x'.repeat(300)}`, reason: '' });
  t.is(component.length, 250);
  t.true(component.startsWith('…x'));
});
