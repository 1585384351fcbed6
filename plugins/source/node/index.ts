import { isUtf8 } from 'node:buffer';
import {
  AgentError,
  defineMetricSource,
  reasonOf,
  SourceError,
  type NodeResponse,
  type SourceFamily,
} from '../../../core/contract/index.js';
import { OperationsClient, type OperationsResponse } from '../../common/operations-client.js';
import { OPERATIONS_OPTIONS } from '../../common/operations-options.js';
import { describeStatus } from '../../../core/common/client/reason.js';
import { ExpositionParser } from './parse.js';

/** Largest body of a forwarded request, in bytes. */
const MAX_REQUEST_SIZE = 64 * 1024;

const METRICS = { method: 'GET', path: '/metrics' } as const;

/** Reads the metrics of a Fabric node, and forwards requests to its operations endpoint. */
export default defineMetricSource({
  name: 'node',
  options: {
    ...OPERATIONS_OPTIONS,
    kind: { format: ['peer', 'orderer'], doc: 'what the node is' },
    metrics: {
      format: Boolean,
      default: true,
      doc: 'whether to read the metrics of the node; requests are forwarded in any case',
    },
  },
  create({ options, log }) {
    const client = new OperationsClient(options, log);
    const parser = new ExpositionParser();

    return {
      init: () => client.init(),
      start: () => client.open(),
      stop: () => client.close(),

      async read(signal) {
        if (!options.metrics) return { families: [] };
        const response = await client.send({ ...METRICS, signal });
        try {
          const families = await parser.parse(checkedBody(response), signal);
          const startTime = startTimeIn(families);
          return { families, ...(startTime !== undefined && { startTime }) };
        } catch (error) {
          if (!(error instanceof SourceError)) throw error;
          throw new SourceError(error.failure, `${client.describe(METRICS)}: ${error.message}`, {
            cause: error,
          });
        }
      },

      node: {
        kind: options.kind,
        async request(request): Promise<NodeResponse> {
          const size = Buffer.byteLength(request.body ?? '');
          if (size > MAX_REQUEST_SIZE)
            throw new AgentError('BODY_TOO_LARGE', `a body of ${size} bytes is not forwarded to the node`);
          try {
            return await client.send(request);
          } catch (error) {
            throw new AgentError('NODE_UNREACHABLE', reasonOf(error), { cause: error });
          }
        },
      },
    };
  },
});

/** @throws SourceError when the response has no metrics */
function checkedBody({ status, body }: OperationsResponse): Buffer {
  if (status === 404)
    throw new SourceError('status', 'HTTP status 404: the metrics provider of the node is not prometheus');
  if (status === 401)
    throw new SourceError('status', 'HTTP status 401: the node requires a client certificate that it trusts');
  if (status !== 200) throw new SourceError('status', describeStatus(status, body.toString(), 'error'));
  if (!isUtf8(body)) throw new SourceError('invalid', 'the response is not UTF-8');
  return body;
}

/** When the process of the node started; undefined when the node does not say, as on other systems than Linux. */
function startTimeIn(families: readonly SourceFamily[]): number | undefined {
  const value = families.find(({ name }) => name === 'process_start_time_seconds')?.series[0]?.value;
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined;
}
