// Counters of nodes that stay the same while nothing happens, and their StatsD buckets.

import { CHANNEL } from './network-files.js';
import type { SeriesValues } from './exposition.js';

/** A counter as a series of /metrics, and as a bucket. */
export interface CounterName {
  readonly series: string;
  readonly bucket: string;
}

/** The counters that {@link addBlock} and {@link sendProposals} increment. */
export const COUNTERS: Readonly<Record<'orderer' | 'peer', readonly CounterName[]>> = {
  orderer: [
    {
      series: `broadcast_processed_count{channel="${CHANNEL}",status="SUCCESS",type="CONFIG_UPDATE"}`,
      bucket: `broadcast.processed_count.${CHANNEL}.CONFIG_UPDATE.SUCCESS`,
    },
    {
      series: `consensus_etcdraft_config_proposals_received{channel="${CHANNEL}"}`,
      bucket: `consensus.etcdraft.config_proposals_received.${CHANNEL}`,
    },
    {
      series: 'grpc_server_stream_requests_received{method="Broadcast",service="orderer_AtomicBroadcast"}',
      bucket: 'grpc.server.stream_requests_received.orderer_AtomicBroadcast.Broadcast',
    },
  ],
  peer: [
    { series: 'endorser_proposals_received', bucket: 'endorser.proposals_received' },
    { series: 'endorser_successful_proposals', bucket: 'endorser.successful_proposals' },
    {
      series: `chaincode_shim_requests_received{chaincode="_lifecycle.syscc",channel="${CHANNEL}",type="GET_STATE_BY_RANGE"}`,
      bucket: `chaincode.shim_requests_received.GET_STATE_BY_RANGE.${CHANNEL}._lifecycle_syscc`,
    },
    {
      series: 'grpc_server_unary_requests_received{method="ProcessProposal",service="protos_Endorser"}',
      bucket: 'grpc.server.unary_requests_received.protos_Endorser.ProcessProposal',
    },
    {
      series: `ledger_transaction_count{chaincode="unknown",channel="${CHANNEL}",transaction_type="CONFIG",validation_code="VALID"}`,
      bucket: `ledger.transaction_count.${CHANNEL}.CONFIG.unknown.VALID`,
    },
  ],
};

/** What a node counted in all its lives, by bucket. */
export type CounterTotals = ReadonlyMap<string, number>;

/** Adds the counts of one life of a node. */
export function addLife(
  kind: 'orderer' | 'peer',
  totals: CounterTotals,
  values: SeriesValues,
): CounterTotals {
  return new Map(
    COUNTERS[kind].map(({ series, bucket }) => [
      bucket,
      (totals.get(bucket) ?? 0) + (values.get(series) ?? 0),
    ]),
  );
}

/**
 * Compares what a node counted with what was pushed.
 *
 * @param pushed the totals by bucket, which begins with the prefix
 * @returns the differences, one line each
 */
export function compareTotals(counted: CounterTotals, pushed: CounterTotals, prefix = ''): string[] {
  return [...counted]
    .filter(([bucket, total]) => (pushed.get(prefix + bucket) ?? 0) !== total)
    .map(([bucket, total]) => `${bucket}: counted ${total}, pushed ${pushed.get(prefix + bucket) ?? 0}`);
}
