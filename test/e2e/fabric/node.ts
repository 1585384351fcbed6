// One node of Fabric as a process that can be killed and started again with the same data.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '../../helpers/folder.js';
import { clientOptions } from '../../helpers/tls-client.js';
import { startDaemon, talk, type Daemon } from '../daemon.js';
import { send, type Endpoint } from './endpoint.js';
import type { Identity } from './network-files.js';

/** What is fixed for a node. */
export interface NodeDescription {
  /** `peer1` or `orderer1`; of a peer also its `peer.id`. */
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** Its configuration directory, with `core.yaml` or `orderer.yaml`. */
  readonly directory: string;
  /** Its configuration file. */
  readonly file: string;
  /** The address of its gRPC service. */
  readonly address: string;
  readonly identity: Identity;
  /** Its operations endpoint, with its own TLS certificate as client certificate. */
  readonly operations: Endpoint;
}

/** A node. */
export interface FabricNode extends NodeDescription {
  /** The variables of its last start, without PATH. */
  readonly environment: () => Readonly<Record<string, string>>;
  /**
   * Starts it and waits until it serves.
   *
   * @param variables `CORE_*` or `ORDERER_*`, kept for later starts
   */
  readonly start: (variables?: Readonly<Record<string, string>>) => Promise<void>;
  /** Ends it; a second call does nothing. */
  readonly stop: (signal?: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** Suspends it (SIGSTOP). */
  readonly pause: () => void;
  /** Continues it (SIGCONT). */
  readonly resume: () => void;
  /** The id of its process; undefined while it does not run. */
  readonly pid: () => number | undefined;
  /** Its output since the first start. */
  readonly log: () => string;
}

/**
 * Describes the operations endpoint of a node.
 *
 * @param isTls whether it has mutual TLS
 */
export function operationsEndpoint(port: number, { tls }: Identity, isTls: boolean): Endpoint {
  if (!isTls) return { url: `http://127.0.0.1:${port}` };
  return { url: `https://127.0.0.1:${port}`, tls: clientOptions(tls.ca, tls) };
}

/** Prepares a node, which is not started yet. */
export function prepareNode(t: Owner, description: NodeDescription, bin: string): FabricNode {
  const log = join(description.directory, 'log');
  let environment: Readonly<Record<string, string>> = { FABRIC_CFG_PATH: description.directory };
  let daemon: Daemon | undefined;
  const command = description.kind === 'peer' ? ['node', 'start'] : ['start'];
  return {
    ...description,
    environment: () => environment,
    async start(variables = {}) {
      environment = { ...environment, ...variables };
      const [host, port] = description.address.split(':');
      daemon = await startDaemon(
        t,
        join(bin, description.kind),
        command,
        async () => {
          await talk(Number(port), '', host);
          await send(description.operations, '/healthz');
        },
        { environment, log, cwd: description.directory },
      );
    },
    async stop(signal = 'SIGTERM') {
      await daemon?.stop(signal);
      daemon = undefined;
    },
    pid: () => daemon?.pid,
    pause: () => daemon?.pause(),
    resume: () => daemon?.resume(),
    log: () => readFileSync(log, 'utf8'),
  };
}
