import test from 'ava';
import { logTextOf } from '../../../core/nodes/log-format.js';
import { logLinesOf, processEndOf, type LogLines } from '../../../core/nodes/log-lines.js';

const COLOURED = '\u001b[33m2026-11-28 16:00:09.000 UTC 0012 WARN\u001b[0m [gossip] x -> behind';
/** A log of an orderer whose last process ended with a panic. */
const LINES = [
  '2026-11-28 15:00:00.000 UTC 0100 ERRO [orderer.common.server] x -> before the start',
  '2026-11-28 16:00:00.000 UTC 0001 INFO [orderer.common.server] prettyPrintStruct -> Orderer config values:',
  '\tGeneral.ListenAddress = "127.0.0.1"',
  COLOURED,
  'panic: runtime error: index out of range [1] with length 1',
  '',
  'goroutine 57 [running]:',
  '\t/src/a.go:10 +0x1d',
];
const EXPECTED: LogLines = {
  lines: [
    'panic: runtime error: index out of range [1] with length 1',
    '2026-11-28 16:00:09.000 UTC 0012 WARN [gossip] x -> behind',
  ],
  last: '\t/src/a.go:10 +0x1d',
  cause: 'panic: runtime error: index out of range [1] with length 1',
  started: true,
};

const TIME = '2026-11-28T16:00:09.123456789Z';
const docker = (log: string, stream = 'stderr'): string => JSON.stringify({ log, stream, time: TIME });
const bytesOf = (text: string): number[] => [...Buffer.from(text)];

type Wrap = (line: string) => string;
const prefixed =
  (prefix: string): Wrap =>
  (line) =>
    `${prefix}${line}`;

const WRAPPERS: readonly (readonly [format: string, wrap: Wrap])[] = [
  ['no format around the lines', (line) => line],
  ['json-file of Docker', (line) => docker(`${line}\n`)],
  ['json-file of Docker, with a terminal', (line) => docker(`${line}\r\n`, 'stdout')],
  [
    'json-file of Docker, with other members first',
    (line) => JSON.stringify({ attrs: { tag: 'a' }, stream: 'stderr', log: `${line}\n`, time: TIME }),
  ],
  [
    'json-file of Docker, in pieces',
    (line) => [docker(line.slice(0, 30)), docker(`${line.slice(30)}\n`)].join('\n'),
  ],
  [
    'json-file of Docker, in pieces of two streams',
    (line) =>
      [
        docker(line.slice(0, 30)),
        docker('other', 'stdout'),
        docker(' line\n', 'stdout'),
        docker(`${line.slice(30)}\n`),
      ].join('\n'),
  ],
  ['a log shipper that omits the line ends', (line) => JSON.stringify({ '@timestamp': TIME, message: line })],
  ['CRI', prefixed(`${TIME} stderr F `)],
  ['CRI, the time with an offset', prefixed('2026-11-28T17:00:09.123456789+01:00 stdout F ')],
  ['CRI, in pieces', (line) => `${TIME} stderr P ${line.slice(0, 5)}\n${TIME} stderr F ${line.slice(5)}`],
  ['docker compose', prefixed('orderer.example.com-1  | ')],
  ['docker compose, with colours', prefixed('\u001b[36morderer-1  |\u001b[0m ')],
  ['docker service logs', prefixed('fabric_orderer.1.x1y2z3@host1    | ')],
  ['docker compose logs --timestamps', prefixed(`orderer-1  | ${TIME} `)],
  ['docker logs --timestamps', prefixed(`${TIME} `)],
  ['kubectl logs --prefix', prefixed('[pod/orderer1-0/orderer] ')],
  ['kubectl logs --prefix --timestamps', prefixed(`[pod/orderer1-0/orderer] ${TIME} `)],
  ['journalctl --output short', prefixed('Nov 28 16:00:09 host1 orderer[1234]: ')],
  ['journalctl --output short-precise', prefixed('Nov  8 16:00:09.123456 host1 orderer[1234]: ')],
  ['journalctl --output short-iso', prefixed('2026-11-28T16:00:09+0000 host1 orderer[1234]: ')],
  [
    'journalctl --output short-iso-precise',
    prefixed('2026-11-28T16:00:09.123456+00:00 host1 orderer[1234]: '),
  ],
  ['journalctl --output short-full', prefixed('Sat 2026-11-28 16:00:09 UTC host1 orderer[1234]: ')],
  ['journalctl --output short-unix', prefixed('1795881609.123456 host1 orderer[1234]: ')],
  ['journalctl --output short-monotonic', prefixed('[ 4321.123456] host1 orderer[1234]: ')],
  [
    'journalctl --output short, docker compose in a service',
    prefixed('Nov 28 16:00:09 host1 docker[1234]: orderer-1  | '),
  ],
  ['journalctl --output json', (line) => JSON.stringify({ PRIORITY: '6', _PID: '1', MESSAGE: line })],
  [
    'journalctl --output json, messages as bytes',
    (line) => JSON.stringify({ MESSAGE: bytesOf(line), PRIORITY: '6' }),
  ],
  [
    'rsyslog, with escaped colours',
    (line) => `Nov 28 16:00:09 host1 orderer[1234]: ${line.replaceAll('\u001b', '#033')}`,
  ],
];

for (const [format, wrap] of WRAPPERS)
  test(`the lines of a log are read as the node wrote them: ${format}`, (t) => {
    const text = `${LINES.map(wrap).join('\n')}\n`;
    t.deepEqual(logLinesOf(text), EXPECTED);
    t.is(processEndOf(text), 'crashed');
  });

test('an unchanged text stays, and a text in pieces has whole lines', (t) => {
  const text = `${LINES.join('\n')}\n`;
  t.is(logTextOf(text), text);
  t.is(logTextOf(`${docker('password: se')}\n${docker('cret\n')}\n`), 'password: secret\n');
  t.is(logTextOf('orderer-1  | a\norderer-1  | b\n'), 'orderer-1 | a\norderer-1 | b\n');
});

test('the last piece of a line that does not end is a line', (t) => {
  t.is(logLinesOf([docker('INFO a\n'), docker('panic: out of mem')].join('\n')).cause, 'panic: out of mem');
});

test('of several containers each has its own start, and lines begin with the name of the container', (t) => {
  const text = [
    'Attaching to orderer-1, peer0-1',
    'orderer-1  | 2026-11-28 15:59:00.000 UTC 0020 ERRO [x] y -> before the start',
    'orderer-1  | 2026-11-28 16:00:00.000 UTC 0001 INFO [x] prettyPrintStruct -> Orderer config values:',
    'peer0-1    | 2026-11-28 16:00:01.000 UTC 0001 INFO [nodeCmd] serve -> Starting peer:',
    'orderer-1  | panic: no certificate',
    'peer0-1    | 2026-11-28 16:00:02.000 UTC 0001 INFO [nodeCmd] serve -> Starting peer:',
    'peer0-1    | 2026-11-28 16:00:03.000 UTC 0002 INFO [nodeCmd] func1 -> Received signal: 15 (terminated)',
  ].join('\n');
  t.deepEqual(logLinesOf(text), {
    lines: ['orderer-1: panic: no certificate'],
    last: 'peer0-1: 2026-11-28 16:00:03.000 UTC 0002 INFO [nodeCmd] func1 -> Received signal: 15 (terminated)',
    cause: 'orderer-1: panic: no certificate',
    started: true,
  });
  t.is(processEndOf(text), undefined);
});

test('a log of several containers in which one does not start has no start', (t) => {
  const text = ['a-1  | 2026-11-28 16:00:00.000 UTC 0001 INFO [x] y -> z', 'b-1  | INFO x'].join('\n');
  t.is(logLinesOf(text).started, undefined);
});

for (const line of [
  '2026-11-28 16:00:09.000 UTC 0012 INFO [x] y -> a',
  '{"level":"info","ts":1700000000,"name":"gossip","msg":"a","message":"not the message"}',
  'ts=1795669426.6 level=info name=nodeCmd msg=a',
  '2026-11-28T16:00:09.123Z INFO [gossip] a',
  '2026-11-28T16:00:09.123Z WARN gossip: a',
  'INFO | a',
])
  test(`a line of Fabric itself is not changed, and known: ${line}`, (t) => {
    t.is(logLinesOf(line).last, line);
    t.is(logLinesOf(line).unknown, undefined);
  });

for (const [what, line] of [
  ['another program around the lines', 'orderer1-0 orderer 2026-11-28 16:00:09.000 UTC 0012 INFO [x] y -> a'],
  ['another program around json', 'orderer1-0 {"level":"info","ts":1700000000,"name":"gossip","msg":"a"}'],
  ['another program around logfmt', 'orderer1-0 ts=1795669426.6 level=info name=nodeCmd msg=a'],
  ['json of another form', '{"line":"2026-11-28 16:00:09.000 UTC 0012 INFO [x] y -> a"}'],
  ['json in json of another form', String.raw`{"line":"{\"level\":\"info\",\"msg\":\"a\"}"}`],
  ['journalctl --output export', 'MESSAGE=2026-11-28 16:00:09.000 UTC 0012 INFO [x] y -> a'],
  ['a message that journalctl does not print', 'Nov 28 16:00:09 host1 orderer[1]: [1.2K blob data]'],
  ['a message that is not text', '{"log":{"a":1},"stream":"stderr"}'],
  ['a broken message', String.raw`{"log":"\x","stream":"stderr"}`],
  ['another program', '[info] 2026-11-28 couchdb@localhost <0.1.0> started'],
  ['binary data', '\u0000\u0012stderr\u0000'],
] as const)
  test(`a line in a format that is not known is named: ${what}`, (t) => {
    const text = ['', line, 'more'].join('\n');
    t.is(logLinesOf(text).unknown, line.replace('Nov 28 16:00:09 host1 orderer[1]: ', ''));
  });

test('a line in a format that is not known is named among known ones, without its middle from 102 characters on', (t) => {
  const known = '2026-11-28 16:00:09.000 UTC 0012 INFO [x] y -> a';
  const unknown = `x ${known} `.padEnd(102, 'b');
  t.is(logLinesOf([known, unknown, known].join('\n')).unknown, `${unknown.slice(0, 50)}…${'b'.repeat(50)}`);
});
