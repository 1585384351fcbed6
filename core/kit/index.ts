// `fabric-ops-agent/kit`: helpers for plugins besides the plugin API. README.md has an example for each part. At least two plugins use each
// name; `test/core/kit/exports.test.ts` has the exceptions with their reasons. What else built-in plugins use is in internal/.

// HTTP and TLS
export { HttpClient, RequestError, type HttpRequest, type HttpResponse } from './http-client.js';
export {
  checkClientCertificate,
  readTls,
  ReloadingTls,
  TLS_OPTIONS,
  tlsFilesOf,
  type TlsSettings,
} from './tls.js';
export { checkUrl, endpointOf } from './url.js';

// Reasons
export { describeError, describeFailure, describeResponse, describeStatus, quote } from './reason.js';
export { describeSystemError } from '../common/text/system-error.js';

// Bytes from outside
export { ByteCollector } from '../common/flow/byte-collector.js';
export { parseForeignJson } from '../common/text/foreign-json.js';

// Commands
export { COMMAND_OPTIONS, describeEnd, runCommand } from './command.js';

// Time
export { Poller } from './poller.js';
export { ConditionDurations } from './condition-durations.js';
export { untilAborted } from '../common/flow/until-aborted.js';

// Files and certificates
export { describeUnreadable, readSecret } from './files.js';
export { callFile, FileNotResponding, readForeignBytes } from '../common/files/file-call.js';
export { isIssuedBy } from '../common/certificates/chain.js';
export { certificateBlocks } from '../common/certificates/pem.js';

// Texts
export { formatDuration, periodText } from '../common/text/duration.js';
export { formatHostPort } from '../common/text/host-port.js';
export { onOneLine } from '../common/text/one-line.js';

// Metrics of Fabric nodes
export { readNode, requireNode, valuesByChannel } from './node.js';
