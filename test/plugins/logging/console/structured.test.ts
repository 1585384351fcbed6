import test from 'ava';
import { createJsonFormatter, formatLogfmt } from '../../../../plugins/logging/console/structured.js';
import { entry, logThrough } from './entry.js';

const jsonLine = createJsonFormatter();

test('a JSON record has the keys of Fabric in their order, then the fields', (t) => {
  const line = logThrough(jsonLine, 'hello', { block: 7, channel: 'ch' }, 'error') ?? '';
  t.true(line.endsWith('\n') && line.indexOf('\n') === line.length - 1);
  const record = JSON.parse(line) as Record<string, unknown>;
  t.deepEqual(Object.keys(record), ['level', 'ts', 'name', 'caller', 'msg', 'block', 'channel']);
  t.like(record, { level: 'error', name: 'gossip.state', msg: 'hello', block: 7, channel: 'ch' });
  t.regex(String(record.caller), /^console\/entry\.ts:\d+$/);
});

test('ts of a JSON record is the time of the entry in seconds', (t) => {
  const { ts } = JSON.parse(jsonLine(entry({ time: 1795169036498 }))) as { ts: unknown };
  t.is(ts, 1795169036.498);
});

test('fields of a JSON record with the name of a standard key get an underscore', (t) => {
  const fields = {
    msg: 'other',
    level: 'debug',
    ts: 0,
    name: 'x',
    caller: 'y',
    err: new Error('went wrong'),
  };
  const record = JSON.parse(jsonLine(entry({ fields }))) as Record<string, unknown>;
  t.like(record, { msg: 'hello', level: 'info', name: 'gossip.state', err: 'went wrong' });
  t.like(record, { msg_: 'other', level_: 'debug', ts_: 0, name_: 'x', caller_: 'y' });
});

test('a JSON record is one line', (t) => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const fields = { circular, big: 2n ** 64n, text: 'a\nb', gone: undefined, ['__proto__']: 1 };
  const line = jsonLine(entry({ message: 'a\n"b"\u2028', fields }));
  t.is(line.indexOf('\n'), line.length - 1);
  const record = JSON.parse(line) as Record<string, unknown>;
  t.is(record.msg, 'a\n"b"\u2028');
  t.is(record.text, 'a\nb');
  t.false('gone' in record);
});

test('a logfmt record has the keys of the JSON form', (t) => {
  const line = logThrough(formatLogfmt, 'two words', { a: 'x y', b: 1 }, 'warn') ?? '';
  t.regex(
    line,
    /^level=warn ts=\d+(\.\d+)? name=gossip\.state caller=console\/entry\.ts:\d+ msg="two words" a="x y" b=1\n$/,
  );
});

test('fields of a logfmt record with the name of a standard key get an underscore', (t) => {
  const line = formatLogfmt(entry({ fields: { msg: 'other', ts: 0, caller: 'y', own: 1 } }));
  t.regex(line, / caller=\S+ msg=hello msg_=other ts_=0 caller_=y own=1\n$/);
});

test('a logfmt record is one line', (t) => {
  const line = formatLogfmt(entry({ time: 1500, message: 'one\ntwo' }));
  t.regex(line, /^level=info ts=1\.5 name=gossip\.state caller=\S+ msg="one\\ntwo"\n$/);
});
