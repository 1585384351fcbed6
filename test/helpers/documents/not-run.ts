// The command blocks of the documents that are not run, or not unchanged, and why. All others are run. test/documents.test.ts fails
// if an entry has no block.

/** A command block that is skipped or replaced. */
export interface NotRun {
  /** Path of the document in the repository. */
  readonly document: string;
  /** The first line of the block. */
  readonly line: string;
  /** Why, and what tests it instead. */
  readonly reason: string;
  /** A replacement: a command and its output. `$REPOSITORY` is the root of the repository. @default the block is skipped */
  readonly instead?: string;
}

export const NOT_RUN: readonly NotRun[] = [
  ...['"OR(\'Org1MSP.admin\')"', "\"OR('Org1MSP.admin', 'Org1MSP.peer', 'Org1MSP.client')\""].map((rule) => ({
    document: 'translator/cli/README.md',
    line: `configtxlator policy set config_block.pb /Channel/Application/Org1MSP/Readers ${rule} -o update.pb`,
    reason: 'It needs the programs of Fabric. test/e2e/rehearse-cookbook.test.ts runs it.',
  })),
  {
    document: 'core/tools/README.md',
    line: 'fabric-ops-agent rescue --node orderer1/orderer.yaml --node orderer2/orderer.yaml --node orderer3/orderer.yaml --node peer0/core.yaml',
    reason: 'It needs the folders of four nodes. test/e2e/rescue.test.ts runs it.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'fabric-ops-agent status --ca ca.pem --cert host1.example.com.pem --key host1.example.com-key.pem --url https://host1.example.com:9543 --url https://host2.example.com:9543 --url https://host3.example.com:9543',
    reason: 'It needs three hosts with nodes. test/e2e/several-hosts.test.ts runs it.',
  },
  {
    document: 'core/events/README.md',
    line: '$ curl -sN http://127.0.0.1:9543/events',
    reason: 'It runs until it is stopped. test/core/events/events-route.own.test.ts listens instead.',
  },
  {
    document: 'plugins/metrics/graphite/README.md',
    line: 'victoria-metrics -graphiteListenAddr=:2003',
    reason: 'It runs until it is stopped. test/e2e/graphite-sink.test.ts runs it.',
  },
  {
    document: 'README.md',
    line: 'npm pack && npm install --global ./fabric-ops-agent-0.1.0.tgz',
    reason: 'It changes the machine. The programs of package.json are on PATH instead.',
  },
  {
    document: 'config/monitor.md',
    line: 'docker inspect peer0 > peer0.json',
    reason: 'It needs a container. test/config/node/config.test.ts reads the output of docker inspect.',
  },
  {
    document: 'README.md',
    line: 'npm ci && npm test',
    reason: 'It runs all other tests, which .ci/run does.',
  },
  {
    document: 'README.md',
    line: 'npm ci && npm start',
    reason:
      'The tests run in a clone that is installed and built. npm start builds and then runs this command.',
    instead: 'fabric-ops-agent start --config config/agent.yaml &\n… serving on http://127.0.0.1:9543 with …',
  },
  {
    document: 'README.md',
    line: 'npm ci && npm run build && npx fabric-ops-agent nodes --write fabric-nodes',
    reason: 'It needs a network of containers. test/e2e/containers.test.ts runs both commands.',
  },
  {
    document: 'core/tools/README.md',
    line: 'fabric-ops-agent nodes --write fabric-nodes',
    reason: 'It needs nodes on the host. test/e2e/containers.test.ts runs both commands.',
  },
  {
    document: 'README.md',
    line: 'npm ci && npm run demo',
    reason: 'It runs until it is stopped. core/tools/README.md runs the command of npm run demo.',
  },
  {
    document: 'test/harm/README.md',
    line: 'npm run harm -- --cases 20 --seed 17 --fabric 3.1.5 --net raft3 --net bft4 --parallel 3 --output report.jsonl',
    reason: 'It takes some minutes. test/e2e/harm.test.ts runs the fixed cases.',
  },
  {
    document: 'translator/cli/live.md',
    line: '$ configtxlator submit update.pb --quiet',
    reason: 'No network runs here. test/e2e/live-channel.test.ts runs the commands on real networks.',
  },
  {
    document: 'translator/cli/live.md',
    line: 'configtxlator rebase update.pb --block $CHANNEL -o update.pb',
    reason: 'No network runs here. test/e2e/live-channel.test.ts runs the commands on real networks.',
  },
  {
    document: 'translator/cli/live.md',
    line: 'configtxlator review proposals --block $CHANNEL',
    reason: 'No network runs here. test/e2e/live-channel.test.ts runs the commands on real networks.',
  },
  {
    document: 'translator/cli/README.md',
    line: 'configtxlator sign update.pb --block $CHANNEL -o update.pb',
    reason:
      'The administrator of the profile has signed the update before. test/e2e/channel-config.test.ts signs as others.',
  },
  {
    document: 'translator/cli/README.md',
    line: 'configtxlator submit update.pb',
    reason: 'No network runs here. test/e2e/channel-changes.test.ts submits the updates of the recipes.',
  },
  {
    document: 'translator/cli/README.md',
    line: 'cp -r org1-new-msp org1-final-msp',
    reason:
      'The administrator has a certificate of the old CA, which the update removes. test/e2e/replace-ca.test.ts runs the recipe on a network.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'docker build -t fabric-ops-agent --build-arg COMMIT=$(git rev-parse --short HEAD) .',
    reason: 'It needs a base image and downloads packages: npm run test:image builds and runs the image.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'docker compose -f docker-compose/ops-agent.yaml up -d --build',
    reason:
      'It needs Docker and the test network of fabric-samples: test/config/deploy/docker-compose.test.ts checks the files.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'npm ci && npm pack && npm install -g ./fabric-ops-agent-0.1.0.tgz --prefix /usr/local',
    reason:
      'It changes the machine and needs a running systemd: test/e2e/units.test.ts verifies the units and their arguments.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'systemctl daemon-reload && systemctl enable --now fabric-ops-agent',
    reason: 'It needs a running systemd: test/e2e/units.test.ts verifies the units and their arguments.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'cp config/deploy/systemd/fabric-ops-agent-check.service config/deploy/systemd/fabric-ops-agent-check.timer /etc/systemd/system/',
    reason:
      'It changes the machine and needs a running systemd: test/e2e/units.test.ts verifies the unit and the timer.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'docker run --rm --network host --env FABRIC_OPS_AGENT_NODE_CONFIG=/etc/hyperledger/fabric/core.yaml -v /etc/hyperledger/fabric:/etc/hyperledger/fabric:ro fabric-ops-agent fabric-ops-agent check',
    reason: 'It needs the image: test/e2e/check-and-bundle.test.ts runs the command without it.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'setfacl -m u:fabric-ops-agent:rx /etc/hyperledger/fabric/tls',
    reason: 'The user does not exist here.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'cp -r config/deploy/kubernetes nodes && cp -r core.yaml msp tls operations-tls nodes/example/',
    reason: 'It needs a cluster: test/config/deploy/manifest-types.long.test.ts builds the example.',
  },
  {
    document: 'config/deploy/README.md',
    line: 'systemctl restart grafana-server',
    reason:
      'Grafana is not installed: test/config/deploy/monitoring.test.ts compares every query of the dashboard with a running agent.',
  },
  {
    document: 'plugins/metrics/statsd/README.md',
    line: 'apt-get install -y graphite-carbon python3-whisper',
    reason: 'test/e2e/provision.ts installs the packages, and npm ci installs the daemon.',
    instead: 'ln -s $REPOSITORY/node_modules/statsd node_modules/',
  },
  {
    document: 'core/contract/README.md',
    line: '(cd ~/fabric-ops-agent && npm ci && npm pack --pack-destination ~/my-plugin)',
    reason:
      'The package is in node_modules already. test/e2e/author.test.ts runs the examples in a project that installed the tarball.',
  },
  {
    document: 'core/contract/README.md',
    line: '(cd ~/fabric-ops-agent && npm ci && npm pack)',
    reason: 'It changes the machine. test/e2e/author.test.ts does the same in temporary directories.',
  },
];
