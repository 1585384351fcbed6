import { readFileSync } from 'node:fs';
import { request as requestPlain, type IncomingMessage } from 'node:http';
import { request as requestTls, type RequestOptions } from 'node:https';
import { formatDuration, formatHostPort, parsePositiveDuration } from '../../config/index.js';
import { describeFileError } from '../text/file-error.js';
import { onOneLine } from '../text/one-line.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { loadFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command, type Process } from './command.js';

const DEFAULT_TIMEOUT = '5s';
/** What OpenSSL finds in an answer that is not TLS. */
const NO_TLS = /wrong version number|packet length too long/;
/** Largest answer that is read, in bytes. */
const MAX_ANSWER_SIZE = 1024 * 1024;

/** Asks a running service for its health; for images without curl. */
export const healthcheck: Command = {
  name: 'healthcheck',
  summary: 'ask a running service whether it is healthy',
  help: `Usage: fabric-ops-agent healthcheck [--url URL] [--timeout DURATION] [--cacert FILE]
                                    [--cert FILE --key FILE]
                                    [--config FILE]... [--set KEY=VALUE]...

Asks /healthz. Exit status 0 when the service is healthy; 1 when it is not, with the failed checks
on standard output, or when it cannot be reached, with the reason on standard error.

      --url URL       what to ask; without it: the address in the settings
      --timeout DURATION
                      how long to wait for the whole answer, such as 2s (default ${DEFAULT_TIMEOUT})
      --cacert FILE   authority of the server certificate; without it none is verified
      --cert FILE, --key FILE
                      client certificate and its key, where the service requires one
${SETTINGS_HELP}`,
  async run(args, process) {
    const { values } = readArguments(args, {
      ...SETTINGS_FLAGS,
      url: { type: 'string' },
      timeout: { type: 'string', default: DEFAULT_TIMEOUT },
      cert: { type: 'string' },
      key: { type: 'string' },
      cacert: { type: 'string' },
    } as const);
    const url = readUrl(values.url ?? urlFromSettings(values, process));
    const timeout = readTimeout(values.timeout);
    if ((values.cert === undefined) !== (values.key === undefined))
      throw new AgentError('USAGE', '--cert and --key: both or none of them must be given');
    const files = {
      cert: readOptional(values.cert),
      key: readOptional(values.key),
      ca: readAuthority(values.cacert),
    };
    try {
      const { status, body } = await ask(
        url,
        { ...files, rejectUnauthorized: files.ca !== undefined },
        timeout,
      );
      if (status === 200) return EXIT.ok;
      process.out(describe(status, body));
    } catch (error) {
      process.error(`fabric-ops-agent healthcheck: ${url.href} cannot be asked: ${explain(error, url)}\n`);
    }
    return EXIT.failed;
  },
};

function urlFromSettings(values: Parameters<typeof loadFrom>[0], process: Process): string {
  const { operations } = loadFrom(values, process).settings;
  const { host, port } = operations.listenAddress;
  const isAny = host === '' || host === '0.0.0.0' || host === '::';
  return `${operations.tls.enabled ? 'https' : 'http'}://${formatHostPort({ host: isAny ? 'localhost' : host, port })}/healthz`;
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new AgentError('USAGE', `--url must be an http or https URL: found '${text}'`);
  // Node would ask the usual port of the protocol instead.
  if (url.port === '0')
    throw new AgentError(
      'USAGE',
      `port 0 cannot be asked, say with --url where the service listens: found '${text}'`,
    );
  if (url.pathname === '/') url.pathname = '/healthz';
  return url;
}

function readTimeout(text: string): number {
  try {
    return parsePositiveDuration(text);
  } catch (error) {
    throw new AgentError('USAGE', `--timeout: ${reasonOf(error)}: found '${text}'`);
  }
}

function readOptional(file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch (error) {
    throw new AgentError('TLS_INVALID', `${file} cannot be read: ${describeFileError(error)}`, {
      cause: error,
    });
  }
}

function readAuthority(file: string | undefined): Buffer | undefined {
  if (file === undefined) return undefined;
  const pem = readOptional(file);
  // Without one, node would say of every service that its certificate is not trusted.
  if (pem?.includes('-----BEGIN CERTIFICATE-----') !== true)
    throw new AgentError('TLS_INVALID', `${file} holds no certificate in PEM form`);
  return pem;
}

/** Asks within a time, in milliseconds, for the whole answer. */
async function ask(
  url: URL,
  tls: RequestOptions,
  timeout: number,
): Promise<{ status: number; body: string }> {
  const signal = AbortSignal.timeout(Math.ceil(timeout));
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { ...tls, agent: false, signal } as RequestOptions;
      const request =
        url.protocol === 'https:' ? requestTls(url, options, resolve) : requestPlain(url, options, resolve);
      request.on('error', reject);
      request.end();
    });
    const body = await readText(answer).catch(() => {
      throw new Error('the answer broke off');
    });
    return { status: answer.statusCode ?? 0, body };
  } catch (error) {
    // An answer cut off by the deadline ends with an error of its own.
    if (signal.aborted) throw new Error(`no answer within ${formatDuration(timeout)}`, { cause: error });
    throw error;
  }
}

/** Why a service could not be asked, in words where the error has none that help. */
function explain(error: unknown, { protocol }: URL): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return 'it demands a client certificate; give one with --cert and --key';
  if (NO_TLS.test(reasonOf(error))) return 'it does not speak TLS; ask it with http://';
  if (code === 'ECONNRESET') {
    const hint =
      protocol === 'http:'
        ? 'a service with TLS is asked with https://'
        : 'it may want another client certificate, see --cert and --key';
    return `it closed the connection without an answer; ${hint}`;
  }
  return reasonOf(error);
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_SIZE) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The failed checks, a line each; the status where the answer does not name any. */
function describe(status: number, body: string): string {
  try {
    const { failed_checks: failed } = JSON.parse(body) as {
      failed_checks: readonly { component: string; reason: string }[];
    };
    return failed
      .map(
        ({ component, reason }) => `${onOneLine(`${component}: ${reason.replaceAll(/\s*\n\s*/g, ' ')}`)}\n`,
      )
      .join('');
  } catch {
    return `answered with status ${status}\n`;
  }
}
