import type { ReportNode, SnapshotData } from '../snapshot-data.js';
import { bad, brokerOf, eachReport, inGroup, ok, unknown, warn, type Finding } from './check.js';

/** Checks that the nodes form one cluster and are equal. */
export const CLUSTER_CHECKS = inGroup('Cluster', [
  {
    id: 'quorum',
    name: 'A majority of the nodes runs',
    advice: 'Start the nodes that do not run. A replicated cluster without a majority accepts no writes.',
    look: (data) => {
      const running = data.nodes.filter(runs).length;
      const seen = `${running} of ${data.nodes.length} nodes run.`;
      if (data.deployment.status === 'stopped') return ok('A user stopped the deployment.');
      if (running * 2 <= data.nodes.length) return bad(seen);
      return running < data.nodes.length ? warn(seen) : ok(seen);
    },
  },
  {
    id: 'odd_nodes',
    name: 'The number of nodes is odd',
    advice:
      'Use an odd number of nodes. An even number tolerates no more failures, and a network failure can split it in halves.',
    look: ({ nodes: { length } }) => {
      if (length === 1) return ok('The deployment has a single node.');
      return length % 2 === 0 ? warn(`The deployment has ${length} nodes.`) : ok(`The deployment has ${length} nodes.`);
    },
  },
  {
    id: 'cluster_size',
    name: 'All nodes report the same cluster size',
    advice: 'The node runs with an old document. Check that the node reaches the gateway.',
    look: eachReport((report, { nodes }) => {
      const { size } = report.cluster;
      return size === nodes.length ? ok(`${size}`) : bad(`reports ${size} nodes, the deployment has ${nodes.length}`);
    }, 'All nodes report the correct cluster size.'),
  },
  {
    id: 'leader_reachable',
    name: 'Nodes reach their leader',
    advice: 'Check that the leader runs. Check the network between the nodes.',
    look: eachReport(({ cluster: { leader } }) => {
      if (!leader) return ok('follows no leader');
      return leader.answers ? ok('reaches the leader') : bad(`${leader.address}:${leader.port} does not answer`);
    }, 'Every node that follows a leader reaches the leader.'),
  },
  {
    id: 'peers_reachable',
    name: 'Nodes reach each other',
    advice: 'Check that these nodes run. Check the network between the nodes.',
    look: eachReport((report) => {
      const silent = report.cluster.peers.filter(({ answers }) => !answers);
      if (silent.length === 0) return ok('all peers answer');
      return bad(`no answer from ${silent.map(({ address, port }) => `${address}:${port}`).join(', ')}`);
    }, 'All nodes that have peers reach their peers.'),
  },
  {
    id: 'zones',
    name: 'Nodes are in the requested zones',
    advice: 'All nodes of a zone stop when the zone fails. Ask the operator to place the nodes again.',
    look: ({ nodes, deployment }) => {
      const zones = new Set(nodes.flatMap(({ zone }) => (zone === null ? [] : [zone])));
      if (deployment.availability_mode !== 'multi_az') return ok('The deployment uses one zone.');
      if (nodes.length < 2) return ok('The deployment has a single node.');
      return zones.size > 1 ? ok(`The nodes are in ${zones.size} zones.`) : warn('All nodes are in one zone.');
    },
  },
  {
    id: 'agent_versions',
    name: 'All agents have the same version',
    advice: 'Restart the agents that have an older version. An agent uses a new version after a restart.',
    look: alike('agent', (node) => node.agent_version),
  },
  {
    id: 'broker_versions',
    name: 'All brokers have the same version',
    advice: 'Restart the brokers that have an older version. A broker uses the installed version after a restart.',
    look: alike('broker', (node) => node.told?.versions.broker ?? brokerOf(node)?.version ?? null),
  },
  {
    id: 'broker_version_wanted',
    name: 'Brokers run the requested version',
    advice: 'Install the requested version on the node, or restart its broker.',
    look: eachReport(({ versions: { broker: runs_, broker_wanted: wanted } }) => {
      if (runs_ === '') return null;
      return runs_ === wanted ? ok(runs_) : warn(`runs ${runs_}, the document requests ${wanted}`);
    }, 'All brokers run the version that their document requests.'),
  },
  {
    id: 'system_versions',
    name: 'All machines have the same system versions',
    advice: 'Use one image for all machines. Different kernels or Node.js releases can behave differently.',
    look: alike('machine', ({ told: report }) =>
      report ? `${report.versions.os} ${report.versions.kernel}, Node.js ${report.versions.node_js}` : null,
    ),
  },
]);

const runs = (node: ReportNode): boolean => node.unreachable_since === null && brokerOf(node)?.status === 'running';

/** Checks that a value is equal on all nodes that report it. */
function alike(what: string, of: (node: ReportNode) => string | null): (data: SnapshotData) => Finding {
  return ({ nodes }) => {
    const values = [...new Set(nodes.flatMap((node) => of(node) ?? []))].filter((value) => value !== '');
    if (values.length === 0) return unknown(`No node reported the version of its ${what}.`);
    return values.length === 1
      ? ok(`Every ${what} has the version ${values[0]}.`)
      : warn(`The ${what} versions differ: ${values.join('; ')}.`);
  };
}
