// The failure of one certificate at the bounds of its validity, with severity, steps and causes.

import { X509Certificate } from 'node:crypto';
import test from 'ava';
import {
  createEntry,
  failureOfCertificate,
  identitiesIn,
} from '../../../../plugins/health/certificates/entry.js';
import type { CertificateKind } from '../../../../plugins/health/certificates/walk.js';
import { makeCertificate } from '../../../helpers/made-certificates.js';

const HOUR = 3_600_000;
const [START, END] = [Date.UTC(2026, 0, 1), Date.UTC(2036, 0, 1)];
const CERTIFICATE = new X509Certificate(makeCertificate({ commonName: 'a' }).pem);

const entryOf = (kind: CertificateKind, path = '/msp/signcerts/a.pem') =>
  createEntry(CERTIFICATE, { path, suffix: '#2', kind });

const EARLY = 'is not valid before 2026-01-01T00:00:00Z';
const CLOCK = `${EARLY}: the clock of this host is probably wrong`;
const SOON = 'expires on 2036-01-01T00:00:00Z, in 59 minutes; the minimum is 1 hour';
const BEFORE =
  'Replace the certificate in /msp/signcerts/a.pem before 2036-01-01T00:00:00Z, and restart its node.';
const LAST = 'expires on 2036-01-01T00:00:00Z, in 0 seconds; the minimum is 1 hour';
const OVER = 'expired on 2036-01-01T00:00:00Z, 0 seconds ago';
const NOW = 'Replace the certificate in /msp/signcerts/a.pem, and restart its node.';

for (const [kind, what, now, isClockWrong, severity, reason, step] of [
  ['tls', 'at its start', START, true, undefined, undefined, undefined],
  ['tls', 'before its start', START - 1, false, 'critical', EARLY, undefined],
  ['tls', 'before its start, as others', START - 1, true, 'critical', CLOCK, undefined],
  ['ca', 'before its start', START - 1, false, 'warning', EARLY, undefined],
  ['tls', 'with the minimum left', END - HOUR, true, undefined, undefined, undefined],
  ['tls', 'with less than the minimum left', END - HOUR + 1, true, 'warning', SOON, BEFORE],
  ['tls', 'at its end', END, true, 'warning', LAST, BEFORE],
  ['tls', 'after its end', END + 1, true, 'critical', OVER, NOW],
  ['consenter_client_tls', 'after its end', END + 1, false, 'critical', OVER, NOW],
  ['consenter_server_tls', 'after its end', END + 1, false, 'critical', OVER, NOW],
  ['signing', 'after its end', END + 1, false, 'warning', OVER, NOW],
] as const)
  test(`a certificate of kind ${kind} ${what} is ${severity === undefined ? 'no failure' : `of severity ${severity}: ${reason}`}`, (t) => {
    const expected = { now, minimum: HOUR, signer: 'none', isClockWrong } as const;
    const failure = failureOfCertificate(entryOf(kind), expected);
    const text = `CN=a ${reason}`;
    t.deepEqual(
      failure,
      severity === undefined
        ? undefined
        : {
            component: '/msp/signcerts/a.pem#2',
            reason: text,
            severity,
            ...(step !== undefined && { steps: [{ text: step }] }),
            causes: [
              {
                id: `certificate ${CERTIFICATE.fingerprint256}`,
                reason: text,
                place: '/msp/signcerts/a.pem',
                use: kind,
              },
            ],
          },
    );
  });

test('a certificate at its end is still valid if the minimum is 0', (t) => {
  const expected = { now: END, minimum: 0, signer: 'none', isClockWrong: false } as const;
  t.is(failureOfCertificate(entryOf('tls'), expected), undefined);
});

test('another problem than the time is a warning without steps and causes, also for the certificate that a node signs with', (t) => {
  const expected = { now: START, minimum: 0, signer: 'peer', isClockWrong: true } as const;
  const entry = { ...entryOf('signing'), problem: 'is not issued by a CA' };
  t.deepEqual(failureOfCertificate(entry, expected), {
    component: '/msp/signcerts/a.pem#2',
    reason: 'CN=a is not issued by a CA',
    severity: 'warning',
  });
});

test('a node signs with the first certificate in signcerts of each MSP', (t) => {
  const [first, second, other, admin] = [
    entryOf('signing', '/one/signcerts/a.pem'),
    entryOf('signing', '/one/signcerts/b.pem'),
    entryOf('signing', '/two/signcerts/b.pem'),
    entryOf('admin', '/three/admincerts/a.pem'),
  ];
  t.deepEqual([...identitiesIn([first, second, other, admin])], [first, other]);
});
