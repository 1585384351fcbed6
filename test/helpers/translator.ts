// Starts the HTTP service of the translator with fake operations.

import type { ExecutionContext } from 'ava';
import { TranslateError } from '../../proto/index.js';
import {
  createTranslatorServer,
  DEFAULT_MAX_BODY,
  type TranslatorServer,
  type TranslatorServerOptions,
} from '../../translator/http/index.js';
import { OPERATIONS, type Operations } from '../../translator/http/operations.js';

/** The thread of the program. */
export const THREAD = new URL('../../translator/http/thread-main.js', import.meta.url);
/** A thread with {@link FAKES}. */
const FAKE_THREAD = new URL('fake-thread.js', import.meta.url);

const BAD_BYTES = 'proto: cannot parse invalid wire-format data';
const NO_GROUP = 'no channel group included for';

/**
 * Operations on one message type, `test.Echo`, whose bytes and JSON are any text. A text that equals an error code fails with
 * that code; `crash` throws an unexpected error.
 */
export const FAKES: Operations = {
  decode: (type, bytes) => {
    throwError(type, Buffer.from(bytes).toString());
    return [Buffer.from(`{"type":${JSON.stringify(type)},"size":${bytes.length}}\n`)];
  },
  encode: (type, json) => {
    throwError(type, Buffer.from(json).toString());
    return json;
  },
  /** Configurations are texts: `bad` is not a message, the empty one has no channel group. */
  computeUpdate: async (original, updated, channelId) => {
    const [before, after] = [original, updated].map((bytes) => Buffer.from(bytes).toString());
    if (before === 'bad') throw new TranslateError('BAD_BYTES', BAD_BYTES, 'original');
    if (after === 'bad') throw new TranslateError('BAD_BYTES', BAD_BYTES, 'updated');
    if (before === '')
      throw new TranslateError('NO_CHANNEL_GROUP', `${NO_GROUP} original config`, 'original');
    if (after === '') throw new TranslateError('NO_CHANNEL_GROUP', `${NO_GROUP} updated config`, 'updated');
    if (before === 'crash') throw new Error('secret');
    if (before === after)
      throw new TranslateError(
        'NO_DIFFERENCES',
        'no differences detected between original and updated config',
      );
    return Buffer.from(`${channelId}: ${before} > ${after}`);
  },
};

function throwError(type: string, text: string): void {
  if (type === 'test.Enum')
    throw new TranslateError('UNKNOWN_TYPE', 'proto: found wrong type: got enum, want message');
  if (type !== 'test.Echo') throw new TranslateError('UNKNOWN_TYPE', 'proto: not found');
  if (text === 'BAD_BYTES') throw new TranslateError('BAD_BYTES', BAD_BYTES);
  if (text === 'BAD_JSON') throw new TranslateError('BAD_JSON', 'error unmarshaling intermediate JSON: EOF');
  if (text === 'BAD_FIELD') throw new TranslateError('BAD_FIELD', '*test.Echo: wrong', 'a.b');
  if (text === 'crash') throw new Error('secret');
}

/** A started translator. */
export interface StartedTranslator {
  readonly server: TranslatorServer;
  readonly port: number;
}

/** Starts a translator on a free port of an address; it is closed when the test ends. @param name of the address */
export async function startTranslator(
  t: ExecutionContext,
  { operations = FAKES, ...options }: Partial<TranslatorServerOptions> = {},
  address = '127.0.0.1',
  name = address,
): Promise<StartedTranslator> {
  const server = await createTranslatorServer({
    operations,
    thread: operations === OPERATIONS ? THREAD : FAKE_THREAD,
    build: { version: '1.2.3', commit: 'abc' },
    origins: [],
    hosts: [],
    maxBody: DEFAULT_MAX_BODY,
    maxOutput: 4 * DEFAULT_MAX_BODY,
    tls: undefined,
    workers: 1,
    ...options,
  });
  t.teardown(() => server.close());
  const { port } = await server.listen(address, 0, name);
  return { server, port };
}

/** Builds a request: a line such as `POST /path`, further header lines, a body. */
export function rawRequest(
  line: string,
  headers: readonly string[] = [],
  body: string | Buffer = '',
): Buffer {
  const length = Buffer.byteLength(body) > 0 ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const head = [
    `${line} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...length,
    ...headers,
    '',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
}

/** A part of a form. */
export interface Part {
  readonly name?: string;
  /** Undefined for a plain value. */
  readonly filename?: string;
  readonly content: string | Buffer;
}

/** The boundary of {@link writeForm}. */
export const BOUNDARY = 'b0undary';

/** Builds the body of a form. */
export function writeForm(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, filename, content }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data`,
    name === undefined ? '' : `; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${BOUNDARY}--\r\n`].map((piece) => Buffer.from(piece)));
}
