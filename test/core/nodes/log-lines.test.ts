// The lines are from logs of Fabric 3.1.5 and 2.5.16, shortened.

import test from 'ava';
import { lastStartIn, logLinesOf, processEndOf } from '../../../core/nodes/log-lines.js';

const linesOf = (text: string): string[] => logLinesOf(text).lines;

const PANIC = [
  '\u001b[34m2026-11-23 22:10:11.123 UTC 0001 INFO\u001b[0m [nodeCmd] \u001b[34;1mserve\u001b[0m -> Starting peer:',
  '\u001b[33m2026-11-23 22:10:12.123 UTC 0002 WARN\u001b[0m [gossip.state] x -> behind',
  '\u001b[31m2026-11-23 22:10:13.123 UTC 0003 ERRO\u001b[0m [core.comm] y -> refused\u202e',
  '2026-11-23 22:10:14.123 UTC 0004 PANI [orderer.common.server] z -> no certificate',
  'panic: no certificate',
  'goroutine 1 [running]:',
  'go.uber.org/zap/zapcore.(*CheckedEntry).Write(0xc0000c6000)',
].join('\n');

test('the lines of importance are found, newest first, without colours', (t) => {
  t.deepEqual(linesOf(PANIC), [
    'panic: no certificate',
    '2026-11-23 22:10:14.123 UTC 0004 PANI [orderer.common.server] z -> no certificate',
    '2026-11-23 22:10:13.123 UTC 0003 ERRO [core.comm] y -> refused\u202e',
    '2026-11-23 22:10:12.123 UTC 0002 WARN [gossip.state] x -> behind',
  ]);
});

test('a certificate in a line is left out before the line is shortened', (t) => {
  const numbers = Array.from({ length: 900 }, () => 45).join(' ');
  const line = '2026-11-23 22:10:13.123 UTC 0003 ERRO [orderer.consensus.smartbft] x ->';
  t.deepEqual(linesOf(`${line} identity [${numbers}] is not valid`), [`${line} identity … is not valid`]);
});

for (const [line, ended] of [
  [
    '2026-11-26 16:51:41.878 UTC 00b6 INFO [orderer.common.server] handleSignals -> Received signal: 15 (terminated)',
    true,
  ],
  ['2026-11-26 16:51:41.878 UTC 00b6 INFO [orderer.common.server] Deliver -> done', undefined],
] as const)
  test(`the last line ${ended === true ? 'says' : 'does not say'} that the process ended: ${line}`, (t) => {
    t.is(logLinesOf(`2026-11-26 16:51:40.000 UTC 00b5 INFO [x] y -> z\n${line}\n`).ended, ended);
  });

for (const line of [
  '{"level":"warn","ts":1700000000,"name":"gossip","msg":"x"}',
  '{"level":"panic","ts":1700000000,"name":"orderer","msg":"x"}',
  'time=1 level=error msg=x',
  'fatal error: all goroutines are asleep - deadlock!',
  'SIGSEGV: segmentation violation',
])
  test(`a line of importance: ${line}`, (t) => {
    t.deepEqual(linesOf(`x\n${line}\n{"level":"info","msg":"warn"}\nlevel=debug`), [line]);
  });

test('the last 10 different lines are returned, each without its middle from 502 characters on', (t) => {
  const lines = linesOf(
    Array.from({ length: 30 }, (_, index) => `WARN ${index} ${'x'.repeat(600)}`).join('\n'),
  );
  t.is(lines.length, 10);
  t.true(lines[0]?.startsWith('WARN 29 '));
  t.true(lines[9]?.startsWith('WARN 20 '));
  t.is(lines[0]?.length, 501);
});

test('a channel that was not loaded at the start is shown however many lines follow, at most 5 of them', (t) => {
  const notLoaded = (index: number): string => `ERRO Failed to load ledger ch${index}(x${index})`;
  const warnings = Array.from({ length: 12 }, (_, index) => `WARN y${index}`);
  t.deepEqual(linesOf([notLoaded(1), ...warnings].join('\n')), [
    ...warnings.slice(-9).toReversed(),
    notLoaded(1),
  ]);
  const lines = linesOf([1, 2, 3, 4, 5, 6].map(notLoaded).concat(warnings).join('\n'));
  t.deepEqual(lines, [...warnings.slice(-5).toReversed(), ...[6, 5, 4, 3, 2].map(notLoaded)]);
});

const STARTS: readonly (readonly [format: string, start: string, before: string, after: string])[] = [
  [
    'the default format of a peer, with colours',
    '\u001b[34m2026-11-26 04:57:25.668 UTC 0001 INFO\u001b[0m [nodeCmd] \u001b[34;1mserve\u001b[0m -> Starting peer:\n Version: v3.1.5',
    '\u001b[33m2026-11-26 04:57:24.000 UTC 0a01 WARN\u001b[0m [gossip] \u001b[33;1mx\u001b[0m -> old',
    '2026-11-26 04:57:26.000 UTC 0020 WARN [gossip] x -> new',
  ],
  [
    'the default format of an orderer',
    [
      '2026-11-26 04:57:24.974 UTC 0001 WARN [localconfig] completeInitialization -> first',
      '2026-11-26 04:57:24.974 UTC 0002 INFO [orderer.common.server] prettyPrintStruct -> Orderer config values:',
      '\tGeneral.ListenAddress = "127.0.0.1"',
    ].join('\n'),
    '2026-11-26 04:57:24.000 UTC 10001 WARN [common.deliver] x -> old',
    '2026-11-26 04:57:26.000 UTC 0020 WARN [common.deliver] x -> new',
  ],
  [
    'the level warn',
    '2026-11-26 05:03:47.769 UTC 0001 WARN [common.deliver] deliverBlocks -> first',
    '2026-11-26 04:57:24.000 UTC 10001 WARN [common.deliver] x -> old',
    '2026-11-26 05:03:48.000 UTC 0002 WARN [common.deliver] x -> new',
  ],
  [
    'json',
    String.raw`{"level":"info","ts":1795669272.1556685,"name":"nodeCmd","caller":"node/start.go:193","msg":"Starting peer:\n Version: v3.1.5\n"}`,
    '{"level":"warn","ts":1795669271.1,"name":"gossip","msg":"old"}',
    '{"level":"warn","ts":1795669273.1,"name":"gossip","msg":"new"}',
  ],
  [
    'json after the default format',
    String.raw`{"level":"info","ts":1795669427.01,"name":"orderer.common.server","msg":"Orderer config values:\n\tGeneral.ListenAddress"}`,
    '2026-11-26 04:57:24.974 UTC 0001 WARN [localconfig] completeInitialization -> old',
    '{"level":"warn","ts":1795669428.1,"name":"gossip","msg":"new"}',
  ],
  [
    'logfmt',
    String.raw`ts=1795669426.6987426 level=info name=nodeCmd caller=node/start.go:193 msg="Starting peer:\n Version: v3.1.5"`,
    'ts=1795669425.1 level=warn name=gossip msg=old',
    'ts=1795669427.1 level=warn name=gossip msg=new',
  ],
  [
    'a format of its own',
    '2026-11-26 05:01:12.783 UTC [nodeCmd] serve -> INFO 001 Starting peer:',
    '2026-11-26 05:01:11.783 UTC [gossip] x -> WARN 24d old',
    '2026-11-26 05:01:35.783 UTC [gossip] x -> WARN 24d new',
  ],
];
for (const [format, start, before, after] of STARTS)
  test(`lines before the last start are not shown: ${format}`, (t) => {
    const [newest, ...others] = linesOf([before, start, before, start, after].join('\n'));
    t.is(newest, after);
    t.deepEqual(others, /WARN.*first/.test(start) ? [start.split('\n', 1)[0]] : []);
  });

const REFUSED = (port: number): string =>
  `connection error: desc = "transport: error while dialing: dial tcp 127.0.0.1:${port}: connect: connection refused"`;
const attempt = (second: number, port: number, id: number): string[] => {
  const [at, hex] = [
    `2026-11-26 05:00:${second}.180 UTC`,
    (step: number) => (id + step).toString(16).padStart(4, '0'),
  ];
  return [
    `\u001b[33m${at} ${hex(0)} WARN\u001b[0m [grpc] \u001b[33;1mAddTraceEvent\u001b[0m -> [core] [Channel #${id} SubChannel #${id + 1}] grpc: addrConn.createTransport failed to connect to {Addr: "127.0.0.1:${port}", ServerName: "127.0.0.1:${port}", }. Err: ${REFUSED(port)}`,
    `\u001b[33m${at} ${hex(9)} WARN\u001b[0m [peer.blocksprovider] \u001b[33;1mDeliverBlocks\u001b[0m -> Could not connect to ordering service: could not dial endpoint '127.0.0.1:${port}': failed to create new connection: ${REFUSED(port)} channel=ch1`,
    `\u001b[33m${at} ${hex(10)} WARN\u001b[0m [peer.blocksprovider] \u001b[33;1mDeliverBlocks\u001b[0m -> Disconnected from ordering service. Attempt to re-connect in 1.${second}s, totalDuration is ${second}.736s channel=ch1`,
  ];
};

test('the three lines of a failed connection of Fabric 3.1 are one, and repeated attempts are one with their number', (t) => {
  const lines = [...attempt(13, 24070, 0x1d0), ...attempt(14, 24073, 0x1e8), ...attempt(16, 24070, 0x200)];
  const shown = (second: number, id: string, port: number): string =>
    `2026-11-26 05:00:${second}.180 UTC ${id} WARN [peer.blocksprovider] DeliverBlocks -> Could not connect to ordering service: could not dial endpoint '127.0.0.1:${port}': failed to create new connection: ${REFUSED(port)} channel=ch1`;
  t.deepEqual(linesOf(lines.join('\n')), [`${shown(16, '0209', 24070)} × 2`, shown(14, '01f1', 24073)]);
});

test('a failed connection that only gRPC logs is shown', (t) => {
  const [grpc = ''] = attempt(13, 24070, 0x1d0);
  t.is(linesOf([grpc, grpc].join('\n')).length, 1);
});

for (const [what, first, second] of [
  [
    'the time and the sequence number',
    '2026-11-26 05:01:13.734 UTC 0070 WARN [a] b -> c',
    '2026-11-26 05:02:14.650 UTC 0174 WARN [a] b -> c',
  ],
  [
    'the time in JSON',
    '{"level":"warn","ts":1795669295.6266477,"name":"a","msg":"c","channel":"ch1"}',
    '{"level":"warn","ts":1795669296.1,"name":"a","msg":"c","channel":"ch1"}',
  ],
  [
    'the time in logfmt',
    'ts=1795669433.8 level=warn name=a msg=c',
    'ts=1795669434.9 level=warn name=a msg=c',
  ],
  [
    'the port of a client',
    '2026-11-26 05:01:13.734 UTC 0070 WARN [common.deliver] deliverBlocks -> [channel: ch1] Rejecting deliver request for 127.0.0.1:35824 because of consenter error',
    '2026-11-26 05:01:14.650 UTC 0074 WARN [common.deliver] deliverBlocks -> [channel: ch1] Rejecting deliver request for 127.0.0.1:35834 because of consenter error',
  ],
  [
    'the port of a client of TLS',
    '2026-11-26 05:01:13.734 UTC 0070 ERRO [core.comm] ServerHandshake -> Server TLS handshake failed in 1.2ms with error EOF server=PeerServer remoteaddress=127.0.0.1:52000',
    '2026-11-26 05:01:14.734 UTC 0071 ERRO [core.comm] ServerHandshake -> Server TLS handshake failed in 812.4µs with error EOF server=PeerServer remoteaddress=127.0.0.1:52002',
  ],
  [
    'the local port',
    'WARN read tcp 127.0.0.1:35824->127.0.0.1:7050: read: connection reset by peer',
    'WARN read tcp 127.0.0.1:35826->127.0.0.1:7050: read: connection reset by peer',
  ],
] as const)
  test(`lines that differ only in ${what} are one with their number`, (t) => {
    t.deepEqual(linesOf([first, second].join('\n')), [`${second} × 2`]);
  });

for (const [first, second] of [
  ['ERRO Failed to send StepRequest to 2', 'ERRO Failed to send StepRequest to 3'],
  ['WARN EOF orderer-address=127.0.0.1:7050', 'WARN EOF orderer-address=127.0.0.1:8050'],
] as const)
  test(`lines that say different things stay: ${first}, ${second}`, (t) => {
    t.deepEqual(linesOf([first, second].join('\n')), [second, first]);
  });

const SIGNAL =
  '\u001b[34m2026-11-26 19:45:35.745 UTC 00d4 INFO\u001b[0m [nodeCmd] \u001b[34;1mfunc1\u001b[0m -> Received signal: 15 (terminated)';
const FIRST =
  '2026-11-26 19:46:30.745 UTC 0001 INFO [nodeCmd] serve -> Starting peer:\n Version: v3.1.5\n2026-11-26 19:46:30.750 UTC 0002 INFO [x] y -> z';

for (const [title, text, expected] of [
  [
    'a signal, and the messages of the shutdown',
    `${FIRST}\n${SIGNAL}\n… INFO [gossip] Stop -> Stopped`,
    'stopped',
  ],
  ['json', '{"level":"info","ts":1,"name":"nodeCmd","msg":"Received signal: 15 (terminated)"}', 'stopped'],
  ['logfmt, SIGINT', 'level=info name=nodeCmd msg="Received signal: 2 (interrupt)"', 'stopped'],
  [
    'SIGUSR1, which logs goroutines',
    'INFO [nodeCmd] func1 -> Received signal: 10 (user defined signal 1)',
    undefined,
  ],
  ['a start after the signal', `${SIGNAL}\n${FIRST}`, undefined],
  [
    'a fatal error after the next start',
    `${SIGNAL}\n${FIRST}\n2026-11-26 19:46:39.039 UTC 000d FATA [nodeCmd] serve -> x`,
    'crashed',
  ],
  ['a panic during the shutdown', `${FIRST}\n${SIGNAL}\npanic: send on closed channel`, 'crashed'],
  ['a process that runs or was killed', FIRST, undefined],
] as const)
  test(`how the last process ended: ${title}: ${expected ?? 'unknown'}`, (t) => {
    t.is(processEndOf(text), expected);
  });

const NEXT = FIRST.replaceAll('19:46:3', '19:47:5');

for (const [title, before, after, expected] of [
  ['a signal before the last start', FIRST, `${SIGNAL}\n${NEXT}`, 'stopped'],
  [
    'a signal before two starts',
    FIRST,
    `${SIGNAL}\n${NEXT}\n${NEXT.replaceAll('19:47', '19:48')}`,
    'stopped',
  ],
  ['a start without a signal before it', FIRST, `\n${NEXT}`, 'killed'],
  ['a panic before the last start', FIRST, `\npanic: x\n${NEXT}`, 'crashed'],
  ['a signal before the start of the process that was up', `${SIGNAL}\n${FIRST}`, '', 'killed'],
  ['a signal in a log that did not have the start', '… INFO [x] y -> z', `\n${SIGNAL}\n${NEXT}`, 'stopped'],
  [
    'json, a signal before the last start',
    '{"level":"info","ts":1,"msg":"Starting peer:"}',
    '\n{"level":"info","ts":2,"msg":"Received signal: 15 (terminated)"}\n{"level":"info","ts":3,"msg":"Starting peer:"}',
    'stopped',
  ],
] as const)
  test(`how the process that was up has ended: ${title}: ${expected ?? 'unknown'}`, (t) => {
    t.is(processEndOf(`${before}\n${after}`, lastStartIn(before)), expected);
  });

test('how the process that was up has ended, in a log that was rotated since then', (t) => {
  t.is(processEndOf(`${SIGNAL}\n${NEXT}`, lastStartIn(FIRST)), 'stopped');
});

for (const [length, shown] of [
  [501, 501],
  [502, 501],
] as const)
  test(`a line of ${length} characters is shown ${length === 501 ? 'whole' : 'without its middle'}`, (t) => {
    const line = `${'WARN '.padEnd(length - 3, 'x')}end`;
    const { lines, last, cause } = logLinesOf(`${line}\n${line.replace('WARN', 'FATA')}\n`);
    for (const found of [...lines, last, cause]) {
      t.is(found?.length, shown);
      t.true(found?.endsWith('xend'));
      t.is(found?.includes('…'), length > 501);
    }
  });

test('of a panic and its trace the newest crash is the cause, and an empty log has neither a last line nor a cause', (t) => {
  t.is(logLinesOf(PANIC).cause, 'panic: no certificate');
  t.deepEqual(logLinesOf('\n\n'), { lines: [], last: undefined, cause: undefined });
});
