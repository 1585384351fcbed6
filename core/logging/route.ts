import { jsonLineReply, type HttpRequest, type Route } from '../http/index.js';
import type { LeasedSpec } from './lease.js';
import { readLeaseDuration } from './lease-duration.js';
import { readSpec } from './read-spec.js';

/** Names the end of a lease in the response to GET. */
const REVERTS_AT = 'Logspec-Reverts-At';

/**
 * `/logspec`: GET returns the active logging specification, PUT `{"spec":"…"}` changes it, for a limited time with `?for=10m`.
 *
 * @param specOf the specification that a request is for; it can throw an error of the client
 */
export function logspecRoute(
  path: string,
  specOf: (request: HttpRequest, method: 'GET' | 'PUT') => LeasedSpec,
): Route {
  return {
    path,
    handlers: {
      GET: async (request) => {
        const { spec, revertsAt } = await specOf(request, 'GET').get();
        const reply = jsonLineReply(200, { spec });
        if (revertsAt === undefined) return reply;
        return { ...reply, headers: { ...reply.headers, [REVERTS_AT]: new Date(revertsAt).toISOString() } };
      },
      PUT: async (request) => {
        const target = specOf(request, 'PUT');
        const duration = readLeaseDuration(request.query);
        const spec = readSpec(await request.body());
        await target.set(spec, { caller: request.caller, requestId: request.id }, duration);
        return { status: 204 };
      },
    },
  };
}
