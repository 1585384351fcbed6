// What built-in plugins use besides the kit. The package does not export it; README.md has the reasons.

// HTTP and TLS
export { formerFilesText, readTlsFiles, type TlsClientFiles } from '../tls.js';
export { isServerUrl, URL_RULE } from '../url.js';
export { openSocket, withHttp2Session, type SocketServer } from '../http2-session.js';
export { withoutSecrets } from '../sent-secrets.js';
export { maskUrls } from '../../common/text/value.js';

// Fabric nodes
export { checkOperationsOptions, OPERATIONS_OPTIONS, type NodeReading } from '../node.js';
export { newestConsenters } from './newest-config.js';
export { isUnresolved } from '../../contract/errors.js';

// Files and certificates
export { isForbidden, shortNames } from '../files.js';
export { sourceMapOf } from '../../common/files/source-map.js';
export { versionOf } from '../../common/files/version.js';
export { hashOfKey, isSignedBy } from '../../common/certificates/chain.js';

// Commands, time, metrics
export { firstLine, type CommandResult } from '../command.js';
export { Backoff } from '../../common/flow/backoff.js';
export { parseDuration } from '../../common/text/duration.js';
export { isAnyHost } from '../../common/text/host-port.js';
export { hasNames } from '../../contract/instruments.js';

// Types of parts, which other plugins get from the types of the whole
export type { TagStyle } from '../lines/buckets.js';
export type { Packet } from '../lines/packets.js';
export type { Transport } from '../lines/transport.js';
