// One node of Fabric as a process that can be killed and started again with the same data.

import { join } from 'node:path';
import type { NodeValues } from '../../../translator/rehearse/node-files.js';
import { FabricProcess } from '../../../translator/rehearse/nodes.js';
import type { Owner } from '../../helpers/folder.js';
import { clientOptions } from '../../helpers/tls-client.js';
import type { Endpoint } from './endpoint.js';
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
  readonly values: NodeValues;
  /** Its operations endpoint, with its own TLS certificate as client certificate. */
  readonly operations: Endpoint;
}

/** A node. */
export interface FabricNode extends NodeDescription {
  readonly process: FabricProcess;
  /** The variables of its last start. */
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
  const process = new FabricProcess(description.values, join(bin, description.kind));
  t.teardown(() => process.stop());
  return {
    ...description,
    process,
    environment: () => process.environment,
    start: (variables) => process.start(variables),
    stop: (signal) => process.stop(signal),
    pid: () => process.pid,
    pause: () => process.pause(),
    resume: () => process.resume(),
    log: () => process.log(),
  };
}
