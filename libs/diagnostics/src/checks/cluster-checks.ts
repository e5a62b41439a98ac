import type { ReportNode, SnapshotData } from '../snapshot-data.js';
import { bad, eachNode, ok, unknown, warn, type Check, type Finding } from './check.js';

/** Checks that the nodes form one cluster and are equal. */
export const CLUSTER_CHECKS: readonly Check[] = [
  {
    id: 'quorum',
    group: 'Cluster',
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
    group: 'Cluster',
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
    group: 'Cluster',
    name: 'All nodes report the same cluster size',
    advice: 'The node runs with an old document. Check that the node reaches the gateway.',
    look: eachNode((node, { nodes }) => {
      if (!node.told) return null;
      const { size } = node.told.cluster;
      return size === nodes.length ? ok(`${size}`) : bad(`reports ${size} nodes, the deployment has ${nodes.length}`);
    }, 'All nodes report the correct cluster size.'),
  },
  {
    id: 'leader_reachable',
    group: 'Cluster',
    name: 'Nodes reach their leader',
    advice: 'Check that the leader runs. Check the network between the nodes.',
    look: eachNode((node) => {
      const leader = node.told?.cluster.leader;
      if (!node.told) return null;
      if (!leader) return ok('follows no leader');
      return leader.answers ? ok('reaches the leader') : bad(`${leader.address}:${leader.port} does not answer`);
    }, 'Every node that follows a leader reaches the leader.'),
  },
  {
    id: 'peers_reachable',
    group: 'Cluster',
    name: 'Nodes reach each other',
    advice: 'Check that these nodes run. Check the network between the nodes.',
    look: eachNode((node) => {
      if (!node.told) return null;
      const silent = node.told.cluster.peers.filter(({ answers }) => !answers);
      if (silent.length === 0) return ok('all peers answer');
      return bad(`no answer from ${silent.map(({ address, port }) => `${address}:${port}`).join(', ')}`);
    }, 'All nodes that have peers reach their peers.'),
  },
  {
    id: 'zones',
    group: 'Cluster',
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
    group: 'Cluster',
    name: 'All agents have the same version',
    advice: 'Restart the agents that have an older version. An agent uses a new version after a restart.',
    look: alike('agent', (node) => node.agent_version),
  },
  {
    id: 'broker_versions',
    group: 'Cluster',
    name: 'All brokers have the same version',
    advice: 'Restart the brokers that have an older version. A broker uses the installed version after a restart.',
    look: alike('broker', (node) => node.told?.versions.broker ?? broker(node)?.version ?? null),
  },
  {
    id: 'broker_version_wanted',
    group: 'Cluster',
    name: 'Brokers run the requested version',
    advice: 'Install the requested version on the node, or restart its broker.',
    look: eachNode((node) => {
      if (!node.told || node.told.versions.broker === '') return null;
      const { broker: runs_, broker_wanted: wanted } = node.told.versions;
      return runs_ === wanted ? ok(runs_) : warn(`runs ${runs_}, the document requests ${wanted}`);
    }, 'All brokers run the version that their document requests.'),
  },
  {
    id: 'system_versions',
    group: 'Cluster',
    name: 'All machines have the same system versions',
    advice: 'Use one image for all machines. Different kernels or Node.js releases can behave differently.',
    look: alike('machine', ({ told }) =>
      told ? `${told.versions.os} ${told.versions.kernel}, Node.js ${told.versions.node_js}` : null,
    ),
  },
];

const broker = ({ runtimes }: ReportNode) => runtimes.find(({ runtime }) => runtime === 'broker');
const runs = (node: ReportNode): boolean => node.unreachable_since === null && broker(node)?.status === 'running';

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
