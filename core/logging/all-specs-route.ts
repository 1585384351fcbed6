import { timeText } from '../common/text/time.js';
import { AgentError, parseLogSpec, reasonOf } from '../contract/index.js';
import { jsonLineReply, type Route } from '../http/index.js';
import type { LeasedSpec } from './lease.js';
import { readLeaseDuration } from './lease-duration.js';
import { readSpec } from './read-spec.js';

/** What one node has, or why it is unknown. */
interface NodeResult {
  readonly name: string;
  readonly spec?: string;
  readonly reverts_at?: string | undefined;
  readonly error?: string;
}

/**
 * The logging specifications of all nodes: GET lists them, PUT changes each of them, for a limited time with `?for=10m`. A node that
 * fails does not keep the others from being changed; the response names it.
 *
 * @param specs by the name of the node
 */
export function allSpecsRoute(path: string, specs: ReadonlyMap<string, LeasedSpec>): Route {
  const forEach = (work: (spec: LeasedSpec) => Promise<Omit<NodeResult, 'name'>>): Promise<NodeResult[]> =>
    Promise.all(
      [...specs].map(async ([name, spec]) => ({
        name,
        ...(await work(spec).catch((error: unknown) => ({ error: reasonOf(error) }))),
      })),
    );
  return {
    path,
    handlers: {
      GET: async () => {
        const nodes = await forEach(async (each) => {
          const { spec, revertsAt } = await each.get();
          return { spec, reverts_at: timeText(revertsAt) };
        });
        return jsonLineReply(200, { nodes });
      },
      PUT: async (request) => {
        const duration = readLeaseDuration(request.query);
        const spec = readSpec(await request.body());
        // Nothing is sent to any node unless the specification is valid.
        parseLogSpec(spec);
        if (specs.size === 0)
          throw new AgentError('NODE_UNKNOWN', 'the agent has no node whose log level can be changed');
        const nodes = await forEach(async (each) => {
          await each.set(spec, { caller: request.caller, requestId: request.id }, duration);
          return { spec };
        });
        const failed = nodes.filter(({ error }) => error !== undefined).length;
        if (failed === 0) return { status: 204 };
        const error = `${failed} of ${nodes.length} nodes failed; see nodes`;
        return jsonLineReply(502, { error, nodes });
      },
    },
  };
}
