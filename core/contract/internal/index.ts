// What built-in plugins and the agent import besides the public API. The package does not export it; README.md has the reasons.

export {
  defineNodeChecker,
  type NodeChecker,
  type NodeCheckerDefinition,
  type NodeKnowledge,
} from './checker.js';
export { warningAfter, type DetailedPart, type FailureDetails, type SharedCause } from './failure.js';
export type {
  CertificateDocument,
  ChangeDocument,
  ChannelDocument,
  ConfigDocument,
  ConsenterDocument,
  FindingDocument,
} from './channel-document.js';
export type {
  ChannelConsenters,
  ChannelList,
  ChannelResponses,
  Fact,
  FactKind,
  Facts,
  FactValues,
  FoundCertificate,
  Maintenance,
  NodeCertificate,
  OrdererResponse,
} from './facts.js';
export type { HostClock, TimeEvidence } from './host-clock.js';
export type { ConfigBlock, LedgerChannel, LedgerReader, Ledgers } from './ledgers.js';

export { endpointOptions, pathsOption } from '../for-node.js';

// Types of parts, which other plugins get from the types of the whole
export type { ForAgent, ForNode, FromEnvironment, WithOrigin } from '../for-node.js';
export type { GaugeFamily } from '../instruments.js';
export type { LogFields } from '../logging.js';
export type { FamilyParts, SampleFamily, SampleSource, SeriesValue, SinkRequest } from '../metric-sink.js';
export type { NodeResponse } from '../metric-source.js';
