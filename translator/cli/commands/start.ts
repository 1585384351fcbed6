// `start`: serves the translator over HTTP until the process is stopped.

import type { AddressInfo } from 'node:net';
import { readBuildInfo } from '../../../core/common/files/build-info.js';
import { describeSystemError } from '../../../core/common/text/system-error.js';
import type { TranslatorServer } from '../../http/index.js';
import { readPage } from '../../built-files.js';
import { defineCommand, flag, flagList, flagOr, switchFlag, type Values } from '../command.js';
import { CommandError, UsageError } from '../errors.js';
import { printNote } from '../files.js';
import type { Io } from '../io.js';
import { inputPath, kind, port, size, text } from '../kinds.js';
import type { WorkerCount } from '../workers.js';

/** The default of `--max-output` is this many times `--max-body`. */
const OUTPUT_PER_BODY = 4;
/** The maximum number of workers; each is a process of about 50 MB. */
const MAX_WORKERS = 64;

/** The number of workers; undefined means one per core. */
const workerCount = kind((given, name) => {
  if (given === 'auto') return undefined;
  const number = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (number >= 1 && number <= MAX_WORKERS) return number;
  throw new UsageError(
    `--${name} must be auto or a number between 1 and ${MAX_WORKERS}: found ${JSON.stringify(given)}`,
  );
});

const FLAGS = {
  hostname: flagOr('0.0.0.0', text, 'The address to listen on; empty: all addresses.'),
  port: flagOr('7059', port, 'The port to listen on; 0: any free port.'),
  CORS: flagList(
    text,
    "An origin with pages that may call the service, or '*' for all origins (may be repeated).",
  ),
  hosts: flagList(
    text,
    "An additional host name under which clients may call the service (may be repeated). Without it, a service on a loopback address accepts only localhost, loopback addresses and --hostname. '*' accepts every name.",
  ),
  workers: flagOr('1', workerCount, 'The number of processes that serve requests, or auto for one per core.'),
  'no-page': switchFlag('Do not serve the channel page at /.'),
  'max-body': flagOr('100MB', size, 'The maximum size of a request body.'),
  'max-output': flag(
    size,
    'The maximum size of the JSON to which a request can be decoded; by default four times --max-body.',
  ),
  'tls-cert': flag(inputPath, 'The server certificate (PEM). The service then accepts only TLS connections.'),
  'tls-key': flag(inputPath, 'The private key of the server certificate (PEM).'),
  'tls-client-ca': flagList(
    inputPath,
    'A CA certificate (PEM). Clients must then present a certificate issued by one of these CAs (may be repeated).',
  ),
};

type StartValues = Values<typeof FLAGS>;

/** The command. */
export const start = defineCommand({
  name: 'start',
  help: 'Serve the translator over HTTP.',
  example: 'start --hostname 127.0.0.1 --port 7059',
  flags: FLAGS,
  async run(values, io) {
    const note = (message: string): void => printNote(message, io);
    const signalled = new Promise<void>((resolve) => io.onStop(resolve));
    const announce = await announcer(values, io);
    if (values.workers === 1) {
      const server = await createServer(values, { workers: 1, note });
      announce(await listen(server, values));
      await signalled;
      await server.close();
      return 0;
    }
    const { availableParallelism } = await import('node:os');
    const { runWorkers, workerRole } = await import('../workers.js');
    const workers = values.workers ?? Math.min(availableParallelism(), MAX_WORKERS);
    const role = workerRole();
    if (role === undefined)
      return runWorkers({
        workers,
        stopRequested: signalled,
        onListening: (address, bound) => announce({ address, port: bound }),
        onEnded: (reason) => note(`a worker has ended (${reason}); another one is started`),
      });
    const { isFirst, count } = role;
    const server = await createServer(values, { workers, count, note: isFirst ? note : undefined });
    await listen(server, values);
    await Promise.race([role.stopRequested, signalled]);
    await server.close();
    return 0;
  },
});

/** The role of this process in the service. */
interface ServingProcess {
  /** The number of processes that serve requests. */
  readonly workers: number;
  /** The number of running processes. */
  readonly count?: () => WorkerCount | undefined;
  /** Prints a note; undefined in a process that prints none. */
  readonly note: ((text: string) => void) | undefined;
}

async function createServer(
  values: StartValues,
  { workers, count, note }: ServingProcess,
): Promise<TranslatorServer> {
  const { createTranslatorServer } = await import('../../http/index.js');
  const isTls =
    values['tls-cert'] !== undefined || values['tls-key'] !== undefined || values['tls-client-ca'].length > 0;
  // Loaded only if needed, because node:crypto takes a large part of the memory of an idle service.
  const tls = isTls ? (await import('../tls.js')).readTls(values) : undefined;
  if (tls?.problem !== undefined) note?.(`clients refuse the server: ${tls.problem}`);
  return createTranslatorServer({
    thread: new URL('../../http/thread-main.js', import.meta.url),
    build: readBuildInfo(),
    origins: values.CORS,
    hosts: values.hosts,
    maxBody: values['max-body'],
    maxOutput: values['max-output'] ?? OUTPUT_PER_BODY * values['max-body'],
    tls,
    workers,
    count,
    readPage: values['no-page'] ? undefined : readPage,
  });
}

/** The address on which the service listens. */
type Bound = Pick<AddressInfo, 'address' | 'port'>;

/** Prints the line for which scripts wait. */
async function announcer(
  { CORS, 'tls-cert': certificate }: StartValues,
  process: Io,
): Promise<(bound: Bound) => void> {
  const { formatHostPort } = await import('../../../core/common/text/host-port.js');
  const scheme = certificate === undefined ? 'HTTP' : 'HTTPS';
  const cors = CORS.length === 0 ? '' : ` with CORS [${CORS.join(' ')}]`;
  return ({ address, port: bound }) => {
    const message = `Serving ${scheme} requests on ${formatHostPort({ host: address, port: bound })}${cors}`;
    process.error(startLine(message, new Date(), process.isErrorTerminal));
  };
}

const BLUE = '\u001b[34m';
const BOLD_BLUE = '\u001b[34;1m';
const RESET = '\u001b[0m';

/** A line in Fabric's log format, with its newline, and with colours for a terminal. The time is in UTC. */
export function startLine(message: string, time: Date, hasColours: boolean): string {
  const [blue, bold, reset] = hasColours ? [BLUE, BOLD_BLUE, RESET] : ['', '', ''];
  const shown = time.toISOString().replace('T', ' ').replace('Z', ' UTC');
  return `${blue}${shown} 0001 INFO${reset} [configtxlator] ${bold}startServer${reset} -> ${message}\n`;
}

/** Starts to listen. @throws CommandError */
async function listen(
  server: TranslatorServer,
  { hostname, port: number }: StartValues,
): Promise<AddressInfo> {
  const { formatHostPort } = await import('../../../core/common/text/host-port.js');
  const given = `${hostname}:${number}`;
  const fail = (reason: string): CommandError =>
    new CommandError(`Could not bind to address '${given}': listen tcp${reason}`);
  const host = /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname;
  if (host === hostname && host.includes(':')) throw fail(`: address ${given}: too many colons in address`);
  const address = await resolveHost(host).catch(() => {
    throw fail(`: lookup ${host}: no such host`);
  });
  try {
    return await server.listen(address, number, host);
  } catch (error) {
    throw fail(` ${formatHostPort({ host: address, port: number })}: bind: ${describeSystemError(error)}`);
  }
}

/** The address of a host; an IPv4 address if it has one. */
async function resolveHost(host: string): Promise<string> {
  const { isIP } = await import('node:net');
  if (host === '' || isIP(host) !== 0) return host;
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(host, { all: true });
  const { address } = found.find(({ family }) => family === 4) ?? found[0] ?? {};
  if (address === undefined) throw new Error('no address');
  return address;
}
