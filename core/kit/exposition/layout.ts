// The StatsD bucket of a family of a node: the same bucket that the node itself uses.

import type { FamilyParts } from '../../contract/metric-sink.js';

/** One family per line: its StatsD bucket, then its labels in the order of their values in the bucket. */
export const KNOWN_FAMILIES = `
blockcutter.block_fill_duration channel
broadcast.enqueue_duration channel type status
broadcast.processed_count channel type status
broadcast.validate_duration channel type status
chaincode.execute_timeouts chaincode
chaincode.launch_duration chaincode success
chaincode.launch_failures chaincode
chaincode.launch_timeouts chaincode
chaincode.shim_request_duration type channel chaincode success
chaincode.shim_requests_completed type channel chaincode success
chaincode.shim_requests_received type channel chaincode
cluster.comm.egress_queue_capacity host msg_type channel
cluster.comm.egress_queue_length host msg_type channel
cluster.comm.egress_queue_workers channel
cluster.comm.egress_stream_count channel
cluster.comm.egress_tls_connection_count
cluster.comm.ingress_stream_count
cluster.comm.msg_dropped_count host channel
cluster.comm.msg_send_time host channel
consensus.BFT.cluster_size channel
consensus.BFT.committed_block_number channel
consensus.BFT.is_leader channel
consensus.BFT.leader_id channel
consensus.etcdraft.active_nodes channel
consensus.etcdraft.cluster_size channel
consensus.etcdraft.committed_block_number channel
consensus.etcdraft.config_proposals_received channel
consensus.etcdraft.data_persist_duration channel
consensus.etcdraft.is_leader channel
consensus.etcdraft.leader_changes channel
consensus.etcdraft.normal_proposals_received channel
consensus.etcdraft.proposal_failures channel
consensus.etcdraft.snapshot_block_number channel
consensus.kafka.batch_size topic
consensus.kafka.compression_ratio topic
consensus.kafka.incoming_byte_rate broker_id
consensus.kafka.last_offset_persisted channel
consensus.kafka.outgoing_byte_rate broker_id
consensus.kafka.record_send_rate topic
consensus.kafka.records_per_request topic
consensus.kafka.request_latency broker_id
consensus.kafka.request_rate broker_id
consensus.kafka.request_size broker_id
consensus.kafka.response_rate broker_id
consensus.kafka.response_size broker_id
consensus.smartbft.blacklist_count channel
consensus.smartbft.consensus_latency_sync channel
consensus.smartbft.consensus_reconfig channel
consensus.smartbft.node_id_in_blacklist blackid channel
consensus.smartbft.pool_count_leader_forward_request channel
consensus.smartbft.pool_count_of_delete_request channel
consensus.smartbft.pool_count_of_elements channel
consensus.smartbft.pool_count_of_elements_all channel
consensus.smartbft.pool_count_of_fail_add_request reason channel
consensus.smartbft.pool_count_timeout_two_step channel
consensus.smartbft.pool_latency_of_elements channel
consensus.smartbft.view_count_batch_all channel
consensus.smartbft.view_count_txs_all channel
consensus.smartbft.view_count_txs_in_batch channel
consensus.smartbft.view_decisions channel
consensus.smartbft.view_latency_batch_processing channel
consensus.smartbft.view_latency_batch_save channel
consensus.smartbft.view_leader_id channel
consensus.smartbft.view_number channel
consensus.smartbft.view_phase channel
consensus.smartbft.view_proposal_sequence channel
consensus.smartbft.view_size_batch channel
consensus.smartbft.viewchange_current_view channel
consensus.smartbft.viewchange_next_view channel
consensus.smartbft.viewchange_real_view channel
consensus.smartbft.wal_count_of_files channel
couchdb.processing_time database function_name result
deliver.blocks_sent channel filtered data_type
deliver.requests_completed channel filtered data_type success
deliver.requests_received channel filtered data_type
deliver.streams_closed
deliver.streams_opened
dockercontroller.chaincode_container_build_duration chaincode success
endorser.chaincode_instantiation_failures channel chaincode
endorser.duplicate_transaction_failures channel chaincode
endorser.endorsement_failures channel chaincode chaincodeerror
endorser.proposal_acl_failures channel chaincode
endorser.proposal_duration channel chaincode success
endorser.proposal_simulation_failures channel chaincode
endorser.proposal_validation_failures
endorser.proposals_received
endorser.successful_proposals
fabric_version version
gossip.comm.messages_received
gossip.comm.messages_sent
gossip.comm.overflow_count
gossip.leader_election.leader channel
gossip.membership.total_peers_known channel
gossip.payload_buffer.size channel
gossip.privdata.commit_block_duration channel
gossip.privdata.fetch_duration channel
gossip.privdata.list_missing_duration channel
gossip.privdata.pull_duration channel
gossip.privdata.purge_duration channel
gossip.privdata.reconciliation_duration channel
gossip.privdata.retrieve_duration channel
gossip.privdata.send_duration channel
gossip.privdata.validation_duration channel
gossip.state.commit_duration channel
gossip.state.height channel
grpc.comm.conn_closed
grpc.comm.conn_opened
grpc.server.stream_messages_received service method
grpc.server.stream_messages_sent service method
grpc.server.stream_request_duration service method code
grpc.server.stream_requests_completed service method code
grpc.server.stream_requests_received service method
grpc.server.unary_request_duration service method code
grpc.server.unary_requests_completed service method code
grpc.server.unary_requests_received service method
ledger.block_processing_time channel
ledger.blockchain_height channel
ledger.blockstorage_and_pvtdata_commit_time channel
ledger.blockstorage_commit_time channel
ledger.statedb_commit_time channel
ledger.transaction_count channel transaction_type chaincode validation_code
logging.entries_checked level
logging.entries_written level
participation.consensus_relation channel
participation.status channel
`;

/**
 * Gauges of the Go runtime for which a node with the provider `statsd` uses other names: the name in /metrics, then the bucket. Only series
 * with the same type and unit.
 */
export const RUNTIME_GAUGES = `
go_goroutines go.goroutine_count
go_memstats_buck_hash_sys_bytes go.mem.buckethash_sys_bytes
go_memstats_next_gc_bytes go.mem.gc_next_bytes
go_memstats_gc_sys_bytes go.mem.gc_sys_bytes
go_memstats_heap_alloc_bytes go.mem.heap_alloc_bytes
go_memstats_heap_idle_bytes go.mem.heap_idle_bytes
go_memstats_heap_inuse_bytes go.mem.heap_inuse_bytes
go_memstats_heap_objects go.mem.heap_objects
go_memstats_heap_released_bytes go.mem.heap_released_bytes
go_memstats_heap_sys_bytes go.mem.heap_sys_bytes
go_memstats_mcache_inuse_bytes go.mem.mcache_inuse_bytes
go_memstats_mcache_sys_bytes go.mem.mcache_sys_bytes
go_memstats_mspan_inuse_bytes go.mem.mspan_inuse_bytes
go_memstats_mspan_sys_bytes go.mem.mspan_sys_bytes
go_memstats_other_sys_bytes go.mem.other_sys_bytes
go_memstats_stack_inuse_bytes go.mem.stack_inuse_bytes
go_memstats_stack_sys_bytes go.mem.stack_sys_bytes
go_threads go.threads_created
`;

/** The name of a family in StatsD. */
export interface FamilyLayout {
  readonly parts: FamilyParts;
  /** The labels in the order in which their values follow the parts. Other labels come after them, in alphabetical order. */
  readonly labels: readonly string[];
}

/**
 * The layout of a family. An unknown family gets the longest namespace and subsystem of a known family that its name begins with, or
 * none.
 *
 * @param name as in /metrics
 */
export function layoutOf(name: string): FamilyLayout {
  return KNOWN.get(name) ?? { parts: partsOfUnknown(name), labels: [] };
}

function partsOfUnknown(name: string): FamilyParts {
  const [prefix, namespace = '', subsystem = ''] = PREFIXES.find(
    ([text]) => name.startsWith(text) && name !== text,
  ) ?? [''];
  return { namespace, subsystem, name: name.slice(prefix.length) };
}

const familyLines = KNOWN_FAMILIES.trim()
  .split('\n')
  .map((line) => line.split(' '));

/** By the name in /metrics. */
const KNOWN: ReadonlyMap<string, FamilyLayout> = new Map([
  ...familyLines.map(([bucket = '', ...labels]) => entry(bucket.replaceAll('.', '_'), bucket, labels)),
  ...RUNTIME_GAUGES.trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([name = '', bucket = '']) => entry(name, bucket, [])),
]);

function entry(name: string, bucket: string, labels: readonly string[]): [string, FamilyLayout] {
  return [name, { parts: partsOf(bucket), labels }];
}

/** Prefixes of names with their namespace and subsystem, longest first. */
const PREFIXES = prefixesOf(familyLines.map(([bucket = '']) => partsOf(bucket)));

function partsOf(bucket: string): FamilyParts {
  const [name = '', subsystem, namespace] = bucket.split('.').toReversed();
  return namespace === undefined
    ? { namespace: subsystem ?? '', subsystem: '', name }
    : { namespace, subsystem: subsystem ?? '', name };
}

function prefixesOf(families: readonly FamilyParts[]): (readonly [string, string, string])[] {
  const prefixes = new Map(
    families
      .filter(({ namespace }) => namespace !== '')
      .map(({ namespace, subsystem }) => {
        const text = subsystem === '' ? `${namespace}_` : `${namespace}_${subsystem}_`;
        return [text, [text, namespace, subsystem] as const];
      }),
  );
  return [...prefixes.values()].sort(([first], [second]) => second.length - first.length);
}
