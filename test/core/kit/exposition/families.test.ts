import test from 'ava';
import { layoutOf } from '../../../../core/kit/exposition/layout.js';
import { KNOWN_FAMILIES, RUNTIME_GAUGES } from '../../../../core/kit/exposition/layout.js';

/** The bucket of a series with these labels, as a node sends it. */
function bucketOf(name: string): string {
  const { parts, labels } = layoutOf(name);
  const names = [parts.namespace, parts.subsystem, parts.name].filter((part) => part !== '');
  return [names.join('.'), ...labels.map((label) => `%{${label}}`)].join('.');
}

/** Families, and the buckets that the documentation of Fabric has for them. */
const BUCKETS: readonly (readonly [name: string, bucket: string])[] = [
  ['blockcutter_block_fill_duration', 'blockcutter.block_fill_duration.%{channel}'],
  ['broadcast_processed_count', 'broadcast.processed_count.%{channel}.%{type}.%{status}'],
  [
    'chaincode_shim_request_duration',
    'chaincode.shim_request_duration.%{type}.%{channel}.%{chaincode}.%{success}',
  ],
  ['cluster_comm_egress_queue_length', 'cluster.comm.egress_queue_length.%{host}.%{msg_type}.%{channel}'],
  ['consensus_BFT_is_leader', 'consensus.BFT.is_leader.%{channel}'],
  ['consensus_kafka_incoming_byte_rate', 'consensus.kafka.incoming_byte_rate.%{broker_id}'],
  ['fabric_version', 'fabric_version.%{version}'],
  ['gossip_payload_buffer_size', 'gossip.payload_buffer.size.%{channel}'],
  ['gossip_state_commit_duration', 'gossip.state.commit_duration.%{channel}'],
  ['grpc_comm_conn_opened', 'grpc.comm.conn_opened'],
  [
    'grpc_server_unary_requests_completed',
    'grpc.server.unary_requests_completed.%{service}.%{method}.%{code}',
  ],
  [
    'ledger_transaction_count',
    'ledger.transaction_count.%{channel}.%{transaction_type}.%{chaincode}.%{validation_code}',
  ],
  ['logging_entries_checked', 'logging.entries_checked.%{level}'],
  ['go_goroutines', 'go.goroutine_count'],
  ['go_memstats_buck_hash_sys_bytes', 'go.mem.buckethash_sys_bytes'],
];
for (const [name, bucket] of BUCKETS)
  test(`${name} has the bucket ${bucket}`, (t) => t.is(bucketOf(name), bucket));

/** Unknown families and their buckets. */
const UNKNOWN: readonly (readonly [name: string, bucket: string])[] = [
  ['gossip_payload_buffer_new_in_4_0', 'gossip.payload_buffer.new_in_4_0'],
  ['ledger_new_in_4_0', 'ledger.new_in_4_0'],
  ['consensus_arma_batches', 'consensus_arma_batches'],
  ['ledger_', 'ledger_'],
  ['go_memstats_frees_total', 'go_memstats_frees_total'],
  ['process_cpu_seconds_total', 'process_cpu_seconds_total'],
  ['__proto__', '__proto__'],
];
for (const [name, bucket] of UNKNOWN)
  test(`the unknown family ${name} has the bucket ${bucket}`, (t) => t.is(bucketOf(name), bucket));

test('all families of Fabric 2.5 and 3.0 are known', (t) => {
  const lines = KNOWN_FAMILIES.trim().split('\n');
  t.is(lines.length, 125);
  t.is(new Set(lines.map((line) => line.split(' ')[0]?.replaceAll('.', '_'))).size, 125);
  for (const line of lines) {
    t.regex(line, /^[a-z_]+(?:\.[a-zA-Z_]+){0,2}(?: [a-z_]+)*$/);
    const [bucket = '', ...labels] = line.split(' ');
    t.is(bucketOf(bucket.replaceAll('.', '_')), [bucket, ...labels.map((label) => `%{${label}}`)].join('.'));
  }
  t.is(RUNTIME_GAUGES.trim().split('\n').length, 18);
});

test('a name with the prefix of a known family has its namespace and subsystem', (t) => {
  const right = KNOWN_FAMILIES.trim()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((bucket) => {
      const { parts } = layoutOf(`${bucket.replaceAll('.', '_')}_`);
      return (
        [parts.namespace, parts.subsystem, parts.name].filter((part) => part !== '').join('.') ===
        `${bucket}_`
      );
    });
  t.is(right.length, 125);
});
