import type { ReportNode, SnapshotData } from '../snapshot-data.js';
import { bad, eachNode, ok, unknown, warn, type Check, type Finding } from './check.js';

/** Checks that the nodes form one cluster and are equal. */
export const CLUSTER_CHECKS: readonly Check[] = [
  {
    id: 'quorum',
    group: 'Cluster',
    name: 'A majority of the nodes serves',
    advice: 'Bring back the nodes that do not run: without a majority a replicated cluster takes no writes.',
    look: (data) => {
      const running = data.nodes.filter(runs).length;
      const seen = `${running} of ${data.nodes.length} nodes run.`;
      if (data.deployment.status === 'stopped') return ok('The deployment is stopped, as it should be.');
      if (running * 2 <= data.nodes.length) return bad(seen);
      return running < data.nodes.length ? warn(seen) : ok(seen);
    },
  },
  {
    id: 'odd_nodes',
    group: 'Cluster',
    name: 'The number of nodes is odd',
    advice: 'An even number survives no more failures than one node less, and can be split in halves.',
    look: ({ nodes: { length } }) => {
      if (length === 1) return ok('It is a single node.');
      return length % 2 === 0 ? warn(`There are ${length} nodes.`) : ok(`There are ${length} nodes.`);
    },
  },
  {
    id: 'cluster_size',
    group: 'Cluster',
    name: 'Nodes agree on how many they are',
    advice: 'A node works by an old document: see whether it reaches the gateway.',
    look: eachNode((node, { nodes }) => {
      if (!node.told) return null;
      const { size } = node.told.cluster;
      return size === nodes.length ? ok(`${size}`) : bad(`counts ${size}, there are ${nodes.length}`);
    }, 'All nodes count as many as there are.'),
  },
  {
    id: 'leader_reachable',
    group: 'Cluster',
    name: 'Nodes reach their leader',
    advice: 'See whether the leader runs, and what stands between the nodes.',
    look: eachNode((node) => {
      const leader = node.told?.cluster.leader;
      if (!node.told) return null;
      if (!leader) return ok('needs none');
      return leader.answers ? ok('reaches it') : bad(`${leader.address}:${leader.port} does not answer`);
    }, 'Every node that follows a leader reaches it.'),
  },
  {
    id: 'peers_reachable',
    group: 'Cluster',
    name: 'Nodes reach each other',
    advice: 'See whether those nodes run, and what stands between them.',
    look: eachNode((node) => {
      if (!node.told) return null;
      const silent = node.told.cluster.peers.filter(({ answers }) => !answers);
      if (silent.length === 0) return ok('all answer');
      return bad(`no answer from ${silent.map(({ address, port }) => `${address}:${port}`).join(', ')}`);
    }, 'All nodes that have peers reach them.'),
  },
  {
    id: 'zones',
    group: 'Cluster',
    name: 'Nodes stand in the zones that were asked for',
    advice: 'A zone that fails takes all nodes in it along: ask the operator to place them anew.',
    look: ({ nodes, deployment }) => {
      const zones = new Set(nodes.flatMap(({ zone }) => (zone === null ? [] : [zone])));
      if (deployment.availability_mode !== 'multi_az') return ok('One zone was asked for.');
      if (nodes.length < 2) return ok('It is a single node.');
      return zones.size > 1 ? ok(`They stand in ${zones.size} zones.`) : warn('All stand in one zone.');
    },
  },
  {
    id: 'agent_versions',
    group: 'Cluster',
    name: 'Agents are of one version',
    advice: 'An agent takes a new version when it is started again.',
    look: alike('agents', (node) => node.agent_version),
  },
  {
    id: 'broker_versions',
    group: 'Cluster',
    name: 'Brokers are of one version',
    advice: 'A restart of the older ones takes the version that is installed.',
    look: alike('brokers', (node) => node.told?.versions.broker ?? broker(node)?.version ?? null),
  },
  {
    id: 'broker_version_wanted',
    group: 'Cluster',
    name: 'Brokers run the version that is wanted',
    advice: 'Install that version on the node, or restart its broker.',
    look: eachNode((node) => {
      if (!node.told || node.told.versions.broker === '') return null;
      const { broker: runs_, broker_wanted: wanted } = node.told.versions;
      return runs_ === wanted ? ok(runs_) : warn(`runs ${runs_}, wanted is ${wanted}`);
    }, 'All brokers run the version of their document.'),
  },
  {
    id: 'system_versions',
    group: 'Cluster',
    name: 'Machines are alike',
    advice: 'Different kernels or Node.js releases behave differently: bring the machines to one image.',
    look: alike('machines', ({ told }) =>
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
    if (values.length === 0) return unknown(`No node tells of its ${what}.`);
    return values.length === 1 ? ok(`All ${what}: ${values[0]}.`) : warn(`Different ${what}: ${values.join('; ')}.`);
  };
}
