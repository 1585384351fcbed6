// The alert rules that one status shows to be true.

import test from 'ava';
import type { StatusDocument } from '../../../../core/status/document.js';
import { describeRules } from '../../../../core/tools/bundle/rules.js';

const TIME = '2026-01-01T00:00:00.000Z';
const DAY = 86_400_000;

/** The lines about the rules that are true. */
function trueRules(parts: Partial<StatusDocument>, isAgentDown = false): string[] {
  const document = { problems: [], nodes: [], certificates: [], engines: [], time: TIME, ...parts };
  const text = describeRules(document as unknown as StatusDocument, isAgentDown);
  const [, rest = ''] = text.split('True now:\n\n');
  return rest
    .slice(0, rest.indexOf('\n\nNot true now:'))
    .split('\n')
    .filter((line) => line !== '');
}

/** A certificate that is valid for this time, in milliseconds. */
const certificate = (left: number): StatusDocument['certificates'][number] =>
  ({
    component: 'peer0/certificates',
    subject: 'CN=peer0',
    path: '/tls/server.crt',
    not_after: new Date(Date.parse(TIME) + left).toISOString(),
  }) as StatusDocument['certificates'][number];

test('without problems no rule is true', (t) => {
  t.deepEqual(trueRules({ certificates: [certificate(30 * DAY)] }), ['none']);
});

for (const [left, rule, cause] of [
  [30 * DAY - 1, 'FabricNodeCertificateExpiresSoon', 'expires 2026-01-30T23:59:59.999Z'],
  [0, 'FabricNodeCertificateExpiresSoon', 'expires 2026-01-01T00:00:00.000Z'],
  [-1, 'FabricNodeCertificateExpired', 'expired 2025-12-31T23:59:59.999Z'],
] as const)
  test(`for a certificate with ${left} ms left ${rule} is true`, (t) => {
    const [title = '', line, next = '', ...others] = trueRules({ certificates: [certificate(left)] });
    t.true(title.startsWith(`${rule} (`), title);
    t.is(line, `  peer0/certificates: CN=peer0 ${cause} (/tls/server.crt)`);
    t.true(next.startsWith('  next: '), next);
    t.deepEqual(others, []);
  });

test('a node that is down is a cause, unless a problem names it already', (t) => {
  const nodes = [
    { name: 'peer0', up: false, reason: 'connection refused' },
    { name: 'peer1', up: false },
    { name: 'peer2', up: true },
  ] as unknown as StatusDocument['nodes'];
  t.like(trueRules({ nodes }), {
    1: '  peer0: connection refused',
    length: 3,
  });
  const problems = [
    { component: 'peer1', reason: 'timeout', runbook: 'FabricNodeDown' },
    { component: 'peer1', reason: 'timeout', runbook: 'FabricNodeDown' },
    { component: 'x', reason: 'without a rule' },
  ] as unknown as StatusDocument['problems'];
  t.is(trueRules({ nodes, problems })[1], '  peer1: timeout');
  t.is(trueRules({ nodes, problems }).length, 3);
});

test('without an agent its own rule is the first', (t) => {
  const [title = '', cause] = trueRules({}, true);
  t.true(title.startsWith('FabricOpsAgentDown ('), title);
  t.is(cause, '  no agent responds');
});
