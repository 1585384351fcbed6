import { join } from 'node:path';
import { defineHealthChecker, FailedChecks, type FailedPart, within } from '../../../core/contract/index.js';
import type { ForNode } from '../../../core/contract/internal/index.js';
import { describeError } from '../../../core/kit/index.js';
import { withHttp2Session } from '../../../core/kit/internal/index.js';
import { parseConnection } from './connection-file.js';
import { findConnections } from './packages.js';

/** Most connections at a time. */
const CONCURRENCY = 8;

/**
 * Where a peer stores the output of its external builders (internal/peer/node/start.go, `externalBuilderOutput`). Of a container with a network
 * of its own, the addresses of chaincode servers are not those of this host.
 */
const forNode: ForNode = (node) => {
  if (node.get('network').value !== undefined) return undefined;
  const { value: builders } = node.get<readonly unknown[]>('externalBuilders');
  const { value: data, origin } = node.get<string>('ledger');
  return builders.length === 0 || data === ''
    ? undefined
    : { paths: { value: [join(data, 'externalbuilder/builds')], origin } };
};

/** Checks that the chaincode servers in the output of external builders accept connections. Each server that fails is a part. */
export default defineHealthChecker({
  name: 'ccaas',
  headlines: { failed: 'Chaincode {part} does not work', warning: 'Chaincode {part} cannot be checked' },
  forNode,
  options: {
    paths: { format: 'path-list', doc: 'directories with the output of external builders' },
    timeout: { format: 'duration', default: '3s', doc: 'time limit for the connection to a chaincode' },
  },
  create({ options: { paths, timeout } }) {
    return {
      onTimeout: 'warning',

      init() {
        if (paths.length === 0) throw new Error('options.paths must name at least one directory');
      },

      async check(signal) {
        const found = findConnections(paths);
        const failed: FailedPart[] = [];
        const worker = async (): Promise<void> => {
          for await (const each of found) {
            const { component } = each;
            const reason = 'text' in each ? await serverProblem(each.text, timeout, signal) : undefined;
            signal.throwIfAborted();
            if (reason !== undefined) failed.push({ component, reason });
            else if ('reason' in each) failed.push(each);
          }
        };
        await Promise.all(Array.from({ length: CONCURRENCY }, worker));
        if (failed.length > 0) throw new FailedChecks(failed.sort(byComponent));
      },
    };
  },
});

const byComponent = (one: FailedPart, other: FailedPart): number =>
  one.component < other.component ? -1 : 1;

/** Why the chaincode server of a connection.json is not reachable; undefined: it is reachable. */
async function serverProblem(
  text: string,
  timeout: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  let hasClientCertificate = false;
  let subject = '';
  try {
    const { address, target, secureContext, ...server } = parseConnection(text);
    hasClientCertificate = server.hasClientCertificate;
    subject = `failed to connect to chaincode at ${address}: `;
    const tls = secureContext === undefined ? undefined : { secureContext };
    await within(timeout, 'the connection', signal, (bounded) =>
      withHttp2Session({ address: target, tls }, bounded, async () => undefined),
    );
    return undefined;
  } catch (error) {
    return `${subject}${describeError(error, hasClientCertificate)}`;
  }
}
