// The queries of the dashboard of fabric-samples (test-network/prometheus-grafana) find their series in a Prometheus that scrapes only
// the agent. Not here are the queries on metrics of cadvisor and of the node exporter, and two on endorser_proposal_request_duration,
// a family that Fabric does not have.

import test from 'ava';
import { check, eventually } from './daemon.js';
import { startBeside } from './fabric/agent.js';
import { startNetwork } from './fabric/network.js';
import { sendProposals, addBlock } from './fabric/traffic.js';
import { job, startPrometheus } from './prometheus.js';

/** Instead of the chaincode of the sample: the system chaincodes that the tests call. */
const CHAINCODE = '{chaincode=~"_lifecycle.*"}';
const INTERVAL = '30s';

const QUERIES = [
  `sum(rate(process_cpu_seconds_total[${INTERVAL}]))/8 * 100`,
  `rate(chaincode_shim_request_duration_sum${CHAINCODE}[${INTERVAL}])`,
  `chaincode_shim_request_duration_count${CHAINCODE}`,
  `chaincode_shim_request_duration_bucket${CHAINCODE}`,
  `rate(chaincode_shim_requests_received${CHAINCODE}[${INTERVAL}])`,
  `rate(chaincode_shim_requests_completed${CHAINCODE}[${INTERVAL}])`,
  `rate(endorser_proposal_duration_sum${CHAINCODE}[${INTERVAL}])`,
  `rate(endorser_proposals_received{}[${INTERVAL}])`,
  `rate(endorser_successful_proposals{}[${INTERVAL}])`,
  `rate(ledger_block_processing_time_sum{}[${INTERVAL}])`,
  'ledger_block_processing_time_count{}',
  'ledger_block_processing_time_bucket{}',
  `rate(ledger_blockstorage_commit_time_sum{}[${INTERVAL}])`,
  'ledger_blockstorage_commit_time_count{}',
  'ledger_blockstorage_commit_time_bucket{}',
  `rate(ledger_statedb_commit_time_sum{}[${INTERVAL}])`,
  'ledger_statedb_commit_time_count{}',
  'ledger_statedb_commit_time_bucket{}',
];

for (const organisations of [1, 2]) {
  const beside = organisations === 1 ? 'a peer' : 'two peers';
  test.serial(
    `the dashboard of fabric-samples finds its series through an agent beside ${beside}`,
    async (t) => {
      const network = await startNetwork(t, { organisations });
      const agent = await startBeside(t, network.peers);
      await addBlock(network);
      sendProposals(network, 2);
      const { query } = await startPrometheus(t, [job('agent', agent.url)]);
      await eventually(async () => check((await query('up')) === '1', 'not scraped yet'));

      for (const expression of QUERIES) {
        const value = await eventually(async () => {
          const found = await query(expression);
          check(found !== undefined, `no series for ${expression}`);
          return Number(found);
        });
        t.true(value >= 0, `${expression} is ${value}`);
      }
      t.is(await query('count(ledger_block_processing_time_count)'), String(organisations));
    },
  );
}
