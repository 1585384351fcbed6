// `fabric-ops-agent/kit`: helpers for plugins besides the plugin API. README.md has an example for each part. At least two plugins use each
// name; `test/core/kit/exports.test.ts` has the exceptions with their reasons.

// HTTP and TLS
export { HttpClient, RequestError, type HttpRequest, type HttpResponse } from './http-client.js';
export {
  checkClientCertificate,
  formerFilesText,
  readTls,
  readTlsFiles,
  ReloadingTls,
  TLS_OPTIONS,
  tlsFilesOf,
  type TlsClientFiles,
  type TlsSettings,
} from './tls.js';
export { checkUrl, endpointOf, isServerUrl, URL_RULE } from './url.js';
export { openSocket, withHttp2Session, type SocketServer } from './http2-session.js';

// Reasons
export { describeError, describeFailure, describeResponse, describeStatus, quote } from './reason.js';
export { withoutSecrets } from './sent-secrets.js';
export { describeSystemError } from '../common/text/system-error.js';
export { isUnresolved } from '../contract/errors.js';

// Bytes from outside
export { ByteCollector } from '../common/flow/byte-collector.js';
export { parseForeignJson } from '../common/text/foreign-json.js';

// Commands
export { COMMAND_OPTIONS, describeEnd, firstLine, runCommand, type CommandResult } from './command.js';

// Time
export { Poller } from './poller.js';
export { ConditionDurations } from './condition-durations.js';
export { untilAborted } from '../common/flow/until-aborted.js';
export { Backoff } from '../common/flow/backoff.js';

// Files and certificates
export { describeUnreadable, isForbidden, readSecret, shortNames } from './files.js';
export { callFile, FileNotResponding, readForeignBytes } from '../common/files/file-call.js';
export { sourceMapOf } from '../common/files/source-map.js';
export { versionOf } from '../common/files/version.js';
export { hashOfKey, isIssuedBy, isSignedBy } from '../common/certificates/chain.js';
export { certificateBlocks } from '../common/certificates/pem.js';

// Texts
export { formatDuration, parseDuration, periodText } from '../common/text/duration.js';
export { formatHostPort } from '../common/text/host-port.js';
export { onOneLine } from '../common/text/one-line.js';
export { maskUrls } from '../common/text/value.js';

// Fabric nodes and the Prometheus text format
export {
  checkOperationsOptions,
  MAX_METRICS_SIZE,
  OPERATIONS_OPTIONS,
  readNode,
  requireNode,
  valuesByChannel,
  type NodeReading,
} from './node.js';
export { newestConsenters } from './newest-config.js';
export { ExpositionParser, readExposition } from './exposition/parse.js';
export { hasNames } from '../contract/instruments.js';

// Push sinks
export {
  checkDaemonAddress,
  checkInterval,
  checkPrefix,
  checkSize,
  createPushMetrics,
  createReconnects,
  warnOfPrefix,
  type PushMetrics,
} from './push.js';
export {
  createBuckets,
  normalPrefix,
  plainName,
  type Bucket,
  type NodePrefix,
  type TagStyle,
} from './lines/buckets.js';
export type { Packet } from './lines/packets.js';
export { LineSender, TcpTransport, type Transport, type TransportListener } from './lines/transport.js';

// Notifiers
export {
  agentName,
  eventDocument,
  NOTIFIER_OPTIONS,
  ReceiverClient,
  RECEIVER_OPTIONS,
  runbookUrl,
  scheduleOf,
  type ReceiverOptions,
} from './notifier.js';
