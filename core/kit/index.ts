// What plugins use besides the plugin API: `fabric-ops-agent/kit`. README.md has an example for each part.

// HTTP and TLS
export {
  HttpClient,
  RequestError,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
} from './http-client.js';
export {
  checkClientCertificate,
  readTls,
  readTlsFiles,
  ReloadingTls,
  TLS_OPTIONS,
  tlsFilesOf,
  type TlsClientFiles,
  type TlsSettings,
} from './tls.js';
export { checkUrl, endpointOf, isServerUrl, URL_RULE, type UrlEndpoint } from './url.js';
export { openSocket, withHttp2Session, type SocketServer } from './http2-session.js';

// Reasons
export { describeError, describeFailure, describeResponse, describeStatus, quote } from './reason.js';
export { withoutSecrets, type Sent } from './sent-secrets.js';
export { describeSystemError, throwIfTooManyOpen } from '../common/text/system-error.js';

// Commands
export {
  COMMAND_OPTIONS,
  describeEnd,
  firstLine,
  MAX_OUTPUT,
  runCommand,
  type CommandOptions,
  type CommandResult,
  type RunOptions,
} from './command.js';

// Time
export { Poller, type PollerOptions } from './poller.js';
export { ConditionDurations } from './condition-durations.js';
export { untilAborted } from '../common/flow/until-aborted.js';
export { Backoff, CONNECTION_BACKOFF, type BackoffLimits } from '../common/flow/backoff.js';

// Files and certificates
export { describeUnreadable, isForbidden, isUnknown, readSecret, shortNames } from './files.js';
export { callFile, FileNotResponding, readForeignBytes } from '../common/files/file-call.js';
export { readRegularFile } from '../common/files/regular-file.js';
export { sourceMapOf } from '../common/files/source-map.js';
export { versionOf } from '../common/files/version.js';
export { hashOfKey, isIssuedBy, isSignedBy, publicKeyOf } from '../common/certificates/chain.js';
export { certificateBlocks } from '../common/certificates/pem.js';

// Texts
export { formatDuration, parseDuration, periodText } from '../common/text/duration.js';
export { formatHostPort, isAnyHost, parseHostPort } from '../common/text/host-port.js';
export { onOneLine } from '../common/text/one-line.js';
export { maskUrls } from '../common/text/value.js';

// Fabric nodes and the Prometheus text format
export {
  checkOperationsOptions,
  MAX_METRICS_SIZE,
  OPERATIONS_OPTIONS,
  readNode,
  valuesByChannel,
  type NodeReading,
  type OperationsOptions,
} from './node.js';
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
  type PushMetricsOptions,
} from './push.js';
export { createBuckets, normalPrefix, type Bucket, type NodePrefix, type TagStyle } from './lines/buckets.js';
export {
  Packer,
  PacketQueue,
  type Packet,
  type QueueDrop,
  type SampleKind,
  type Unacknowledged,
} from './lines/packets.js';
export {
  LineSender,
  TcpTransport,
  type Lines,
  type TcpQueueOptions,
  type Transport,
  type TransportListener,
} from './lines/transport.js';

// Notifiers
export {
  agentName,
  eventDocument,
  NOTIFIER_OPTIONS,
  ReceiverClient,
  RECEIVER_OPTIONS,
  runbookUrl,
  scheduleOf,
  type NotifierOptions,
  type ReceiverOptions,
} from './notifier.js';
