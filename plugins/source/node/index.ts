import { AgentError, defineMetricSource, reasonOf, SourceError } from '../../../core/contract/index.js';
import { endpointOptions, type NodeResponse } from '../../../core/contract/internal/index.js';
import { describeStatus, HttpClient, type HttpResponse } from '../../../core/kit/index.js';
import { checkOperationsOptions, OPERATIONS_OPTIONS } from '../../../core/kit/internal/index.js';
import { MAX_METRICS_SIZE, ExpositionParser, readExposition } from '../../../core/kit/metrics.js';

/** Largest body of a forwarded request, in bytes. */
const MAX_REQUEST_SIZE = 64 * 1024;

const METRICS = { path: '/metrics', maxSize: MAX_METRICS_SIZE } as const;

/** Reads the metrics of a Fabric node, and forwards requests to its operations endpoint. */
export default defineMetricSource({
  name: 'node',
  forNode: (node) => ({ kind: node.kind, ...endpointOptions(node), metrics: node.metrics }),
  // The source has the name of the node.
  nodeComponent: '',
  options: {
    ...OPERATIONS_OPTIONS,
    kind: { format: ['peer', 'orderer'], doc: 'kind of the node' },
    metrics: {
      format: Boolean,
      default: true,
      doc: 'whether to read the metrics of the node; requests are forwarded in any case',
    },
  },
  create({ options, log }) {
    const client = new HttpClient(options, log);
    const parser = new ExpositionParser();

    return {
      init: () => checkOperationsOptions(options),
      start: () => client.open(),
      stop: () => client.close(),

      async read(signal) {
        if (!options.metrics) return { families: [] };
        const response = await client.send({ ...METRICS, signal });
        const problem = responseProblem(response);
        const what = client.describe(METRICS);
        if (problem !== undefined) throw new SourceError('status', `${what}: ${problem}`);
        return readExposition(parser, response.body, what, signal);
      },

      node: {
        kind: options.kind,
        metrics: options.metrics,
        async request({ requestId, ...request }): Promise<NodeResponse> {
          const size = Buffer.byteLength(request.body ?? '');
          if (size > MAX_REQUEST_SIZE)
            throw new AgentError('BODY_TOO_LARGE', `a body of ${size} bytes is not forwarded to the node`);
          try {
            const headers = {
              ...(requestId !== undefined && { 'X-Request-Id': requestId }),
              ...(request.body !== undefined && { 'Content-Type': 'application/json' }),
            };
            const limit = request.path === METRICS.path ? METRICS : {};
            return await client.send({ ...limit, ...request, headers });
          } catch (error) {
            throw new AgentError('NODE_UNREACHABLE', reasonOf(error), { cause: error });
          }
        },
      },
    };
  },
});

/** Why a response has no metrics; undefined if it has metrics. */
function responseProblem({ status, body }: HttpResponse): string | undefined {
  if (status === 404) return 'HTTP status 404: the metrics provider of the node is not prometheus';
  if (status === 401) return 'HTTP status 401: the node requires a client certificate that it trusts';
  return status === 200 ? undefined : describeStatus(status, body.toString(), 'error');
}
