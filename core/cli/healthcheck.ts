import type { RequestOptions } from 'node:https';
import { formatHostPort, parsePositiveDuration } from '../../config/index.js';
import { AgentError, reasonOf } from '../contract/index.js';
import { checkKeyPair, readCertificates, readPrivateKey } from '../service/tls-files.js';
import { onOneLine } from '../text/one-line.js';
import { loadFrom, readArguments, SETTINGS_FLAGS, SETTINGS_HELP } from './arguments.js';
import { EXIT, type Command, type Process } from './command.js';
import { describeRequestError, requestHealth } from './health-client.js';

const DEFAULT_TIMEOUT = '5s';

/** Requests the health of a running service; for container images without curl. */
export const healthcheck: Command = {
  name: 'healthcheck',
  summary: 'check the health of a running service',
  help: `Usage: fabric-ops-agent healthcheck [--url URL] [--timeout DURATION] [--cacert FILE]
                                    [--cert FILE --key FILE]
                                    [--config FILE]... [--set KEY=VALUE]...

Requests /healthz, or the path in --url, such as /readyz or /healthz/docker. The exit status is 0
if everything that it covers is healthy. It is 1 if a check failed, with the failed checks on
standard output, or if the request failed, with the reason on standard error.

      --url URL       the URL to request (default: the listen address in the settings)
      --timeout DURATION
                      time limit for the complete response, such as 2s (default ${DEFAULT_TIMEOUT})
      --cacert FILE   CA of the server certificate; without it the certificate is not verified
      --cert FILE, --key FILE
                      client certificate and its private key, if the service requires one
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
    const tls = readTlsFiles(values);
    try {
      const { status, body } = await requestHealth(url, tls, timeout);
      if (status === 200) return EXIT.ok;
      process.out(describe(status, body));
    } catch (error) {
      const reason = describeRequestError(error, url);
      process.error(`fabric-ops-agent healthcheck: ${url.href}: request failed: ${reason}\n`);
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
  // Node would connect to the default port of the protocol instead.
  if (url.port === '0')
    throw new AgentError('USAGE', `port 0 is not a port to connect to; set --url: found '${text}'`);
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

function readTlsFiles(files: {
  readonly cacert?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}): RequestOptions {
  const { cacert, cert, key } = files;
  const ca = cacert === undefined ? undefined : readCertificates(cacert, '--cacert').pem;
  const server: RequestOptions = { ...(ca !== undefined && { ca }), rejectUnauthorized: ca !== undefined };
  if (cert === undefined && key === undefined) return server;
  if (cert === undefined || key === undefined)
    throw new AgentError('USAGE', '--cert and --key must be set together');
  const certificate = readCertificates(cert, '--cert');
  const privateKey = readPrivateKey(key, '--key');
  checkKeyPair(certificate, privateKey, { certificate: `--cert ${cert}`, key: `--key ${key}` });
  return { ...server, cert: certificate.pem, key: privateKey.pem };
}

/** One line for each failed check; without them the status, with the error if the body has one. */
function describe(status: number, body: string): string {
  try {
    const { failed_checks: failed, error } = JSON.parse(body) as {
      failed_checks?: readonly { component: string; reason: string }[];
      error?: unknown;
    };
    if (failed === undefined && typeof error === 'string')
      return `${onOneLine(`unexpected HTTP status ${status}: ${error}`)}\n`;
    if (failed === undefined) return `unexpected HTTP status ${status}\n`;
    return failed
      .map(
        ({ component, reason }) => `${onOneLine(`${component}: ${reason.replaceAll(/\s*\n\s*/g, ' ')}`)}\n`,
      )
      .join('');
  } catch {
    return `unexpected HTTP status ${status}\n`;
  }
}
