// `start`: serves the translator over HTTP until the process is stopped.

import { isIP, type AddressInfo } from 'node:net';
import { readBuildInfo } from '../../../../core/common/files/build-info.js';
import { formatHostPort } from '../../../../core/common/text/host-port.js';
import { describeSystemError } from '../../../../core/common/text/system-error.js';
import { createTranslatorServer, type TranslatorServer } from '../../../http/index.js';
import { readPage } from '../../../page-file.js';
import type { Context, Process } from '../../context.js';
import { CommandError } from '../../errors.js';
import { parsePort, parseSize } from '../../numbers.js';
import { printNote } from '../../output.js';
import { startLine } from '../../start-line.js';
import type { Values } from '../../values.js';
import type { WorkerCount } from './workers.js';

/** The default of `--max-output` is this many times `--max-body`. */
const OUTPUT_PER_BODY = 4;
const TLS_FLAGS = ['tls-cert', 'tls-key', 'tls-client-ca'];

/** @returns the exit status @throws CommandError, UsageError */
export async function run(values: Values, { process, load }: Context): Promise<number> {
  const note = (text: string): void => printNote(text, process);
  const signalled = new Promise<void>((resolve) => process.onStop(resolve));
  if (values.one('workers') === '1') {
    const server = await createServer(values, load, { workers: 1, note });
    announce(await listen(server, values), values, process);
    await signalled;
    await server.close();
    return 0;
  }
  const { runWorkers, workerRole, workersOf } = await import('./workers.js');
  const workers = workersOf(values.one('workers'));
  const role = workerRole();
  if (role === undefined)
    return runWorkers({
      workers,
      stopRequested: signalled,
      onListening: (address, port) => announce({ address, port }, values, process),
      onEnded: (reason) => note(`a worker has ended (${reason}); another one is started`),
    });
  const { isFirst, count } = role;
  const server = await createServer(values, load, { workers, count, note: isFirst ? note : undefined });
  await listen(server, values);
  await Promise.race([role.stopRequested, signalled]);
  await server.close();
  return 0;
}

/** What this process is in the service. */
interface Role {
  /** The number of processes that serve requests. */
  readonly workers: number;
  /** How many of them run. */
  readonly count?: () => WorkerCount | undefined;
  /** Prints a note; undefined if another process does. */
  readonly note: ((text: string) => void) | undefined;
}

async function createServer(
  values: Values,
  load: Context['load'],
  { workers, count, note }: Role,
): Promise<TranslatorServer> {
  const origins = values.all('CORS');
  // Loaded only if needed, because node:crypto takes a large part of the memory of an idle service.
  const tls = TLS_FLAGS.some((name) => values.optional(name) !== undefined)
    ? (await import('../../tls.js')).readTls(values)
    : undefined;
  if (tls?.problem !== undefined) note?.(`clients refuse the server: ${tls.problem}`);
  const maxBody = parseSize('max-body', values.one('max-body'));
  const maxOutput = values.optional('max-output');
  return createTranslatorServer({
    operations: {
      decode: await load.decode(),
      encode: await load.encode(),
      computeUpdate: await load.computeUpdate(),
      messageNames: await load.messageNames(),
    },
    build: readBuildInfo(),
    origins,
    maxBody,
    maxOutput: maxOutput === undefined ? OUTPUT_PER_BODY * maxBody : parseSize('max-output', maxOutput),
    tls,
    workers,
    count,
    page: values.isSet('no-page') ? undefined : readPage(),
  });
}

const listen = (server: TranslatorServer, values: Values): Promise<Bound> =>
  bind(server, values.one('hostname'), parsePort(values.one('port')));

/** The address that the service listens on. */
type Bound = Pick<AddressInfo, 'address' | 'port'>;

/** Prints the line that scripts wait for. */
function announce({ address, port }: Bound, values: Values, process: Process): void {
  const origins = values.all('CORS');
  const scheme = values.optional('tls-cert') === undefined ? 'HTTP' : 'HTTPS';
  const cors = origins.length === 0 ? '' : ` with CORS [${origins.join(' ')}]`;
  process.error(
    startLine(
      `Serving ${scheme} requests on ${formatHostPort({ host: address, port })}${cors}`,
      new Date(),
      process.isErrorTerminal,
    ),
  );
}

/** Starts to listen. @throws CommandError */
async function bind(server: TranslatorServer, hostname: string, port: number): Promise<AddressInfo> {
  const given = `${hostname}:${port}`;
  const fail = (reason: string): CommandError =>
    new CommandError(`Could not bind to address '${given}': listen tcp${reason}`);
  const host = /^\[(.*)\]$/.exec(hostname)?.[1] ?? hostname;
  if (host === hostname && host.includes(':')) throw fail(`: address ${given}: too many colons in address`);
  const address = await resolveHost(host).catch(() => {
    throw fail(`: lookup ${host}: no such host`);
  });
  try {
    return await server.listen(address, port);
  } catch (error) {
    throw fail(` ${formatHostPort({ host: address, port })}: bind: ${describeSystemError(error)}`);
  }
}

/** The address of a host; an IPv4 address if it has one. */
async function resolveHost(host: string): Promise<string> {
  if (host === '' || isIP(host) !== 0) return host;
  const { lookup } = await import('node:dns/promises');
  const found = await lookup(host, { all: true });
  const { address } = found.find(({ family }) => family === 4) ?? found[0] ?? {};
  if (address === undefined) throw new Error('no address');
  return address;
}
