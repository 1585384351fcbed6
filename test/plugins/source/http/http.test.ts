import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { MetricSource, OptionValues } from '../../../../core/contract/index.js';
import { createTestContext } from '../../../../core/testing/index.js';
import http from '../../../../plugins/source/http/index.js';
import { engineOnPort } from '../../../helpers/engine.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { samplesOfFamilies, samplesOfText } from '../../../helpers/source-samples.js';

const { signal } = new AbortController();
// Tests run concurrently.
setMaxListeners(0, signal);
const TEXT = '# TYPE a counter\na{b="c"} 1\nprocess_start_time_seconds 1700000000\n';

async function startSource(
  t: ExecutionContext,
  respond: RequestListener,
  others: Partial<OptionValues<typeof http.options>> = {},
): Promise<MetricSource & { readonly address: string }> {
  const address = await engineOnPort(t, respond);
  const options = {
    url: `http://${address}/metrics?collect=a`,
    authorizationFile: '',
    ca: '',
    cert: '',
    key: '',
    serverName: '',
    ...others,
  };
  const source = http.create(createTestContext(http, options).context);
  t.teardown(() => source.stop?.());
  await source.start?.(signal);
  return { ...source, address };
}

test('a reading has the families of the exporter and its start time', async (t) => {
  const requests: unknown[] = [];
  const source = await startSource(t, (request, response) => {
    requests.push([request.method, request.url, request.headers.accept]);
    response.end(TEXT);
  });
  const { families, startTime } = await source.read(signal);
  t.deepEqual(samplesOfFamilies(families), samplesOfText(TEXT));
  t.is(startTime, 1_700_000_000);
  t.deepEqual(requests, [['GET', '/metrics?collect=a', 'text/plain;version=0.0.4']]);
});

test('a family with a line that is not valid is skipped, and the others are in the reading', async (t) => {
  const source = await startSource(t, (_request, response) => response.end(`a x\n${TEXT}b{c="d"}6\n`));
  const { families, skipped } = await source.read(signal);
  t.deepEqual(
    families.map(({ name }) => name),
    ['process_start_time_seconds', 'b'],
  );
  t.deepEqual(skipped, [{ what: 'family a', reason: "line 1: 'x' is not a number" }]);
});

test('the header Authorization is read for each request', async (t) => {
  const headers: unknown[] = [];
  const authorizationFile = join(temporaryFolder(t, { token: 'Bearer one\n' }), 'token');
  const source = await startSource(
    t,
    (request, response) => {
      headers.push(request.headers.authorization);
      response.end('a 1\n');
    },
    { authorizationFile },
  );
  await source.read(signal);
  writeFileSync(authorizationFile, 'Bearer two');
  await source.read(signal);
  t.deepEqual(headers, ['Bearer one', 'Bearer two']);
});

for (const [what, secret] of [
  ['two lines', 'Bearer hidden\nX-Other: 1'],
  ['a character that no header can have', 'Bearer hidden\u{1f600}'],
] as const)
  test(`a file for the header Authorization with ${what} fails the reading, and its content is in no message`, async (t) => {
    const authorizationFile = join(temporaryFolder(t, { token: secret }), 'token');
    const source = await startSource(t, () => t.fail('a request was sent'), { authorizationFile });
    const error = await t.throwsAsync(async () => source.read(signal), { message: /\bAuthorization/i });
    t.false(String(error.stack).includes('hidden'));
  });

for (const [status, body, reason] of [
  [401, '', 'HTTP status 401'],
  [302, '', 'HTTP status 302; redirects are not followed'],
  [200, 'a\n', "line 1: '' is not a number"],
] as const)
  test(`a reading fails after HTTP status ${status} with the body ${JSON.stringify(body)}`, async (t) => {
    const source = await startSource(t, (_request, response) => {
      response.statusCode = status;
      response.end(body);
    });
    const { message } = await t.throwsAsync(async () => source.read(signal));
    t.is(message, `GET http://${source.address}/metrics?…: ${reason}`);
  });
