import type { Supervisor } from '@landlord/sdk';
import { useSearch } from '@tanstack/react-router';
import { Status } from '../../../ui/text/status.js';
import { Table, type Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import { List } from '../../../ui/list/list.js';
import { NodeFilter } from '../node-filter.js';
import { NodeName } from '../node-name.js';
import { ReadProblem, type Read } from '../../../ui/read-problem.js';
import { Section } from '../../../ui/section.js';
import { useLive } from '../use-deployment.js';

type Node = Supervisor.NodeView;

/** The nodes with their programs, and when they reported. */
export function NodesScreen() {
  const { page = 1, node } = useSearch({ from: '/signed-in/t/$tenantId/deployments/$deploymentId/nodes' });
  const runtime = useLive('runtime.get', {});
  return (
    <>
      <Section title="Nodes">
        <ReadProblem of={runtime} />
        {runtime.data && <Table label="Nodes" columns={NODES} rows={runtime.data.nodes} keyOf={({ id }) => id} />}
      </Section>
      <Section title="Reports">
        <NodeFilter node={node} />
        {node === undefined ? <AllReports page={page} /> : <ReportsOfNode key={node} node={node} page={page} />}
      </Section>
    </>
  );
}

const NODES: readonly Column<Node>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    title: 'Programs',
    cell: ({ runtimes }) =>
      runtimes.map(({ runtime, version, status }) => (
        <div key={runtime}>
          {runtime} {version} <Status of={status} />
        </div>
      )),
  },
  { title: 'Configuration', cell: ({ config_version }) => config_version ?? 'none' },
  { title: 'Zone', cell: ({ zone }) => zone ?? 'none' },
  { title: 'Storage', cell: ({ storage }) => `${storage.size} GB` },
  { title: 'Agent', cell: ({ agent }) => agent.version ?? 'none' },
  {
    title: 'Last report',
    cell: ({ agent }) => (agent.last_heartbeat_at === null ? 'none' : <Time at={agent.last_heartbeat_at} />),
  },
];

const AllReports = ({ page }: { page: number }) => <Reports list={useLive('heartbeats.list', { page })} />;

const ReportsOfNode = ({ node, page }: { node: number; page: number }) => (
  <Reports list={useLive('heartbeats.listOfNode', { node_id: node, page })} />
);

interface ReportsProps {
  list: Read<Supervisor.HeartbeatPage>;
}

const Reports = ({ list }: ReportsProps) => (
  <>
    <List
      label="Reports"
      query={list}
      columns={REPORTS}
      keyOf={({ node_id, at }) => `${node_id} ${at}`}
      empty="No node has reported yet."
    />
  </>
);

const REPORTS: readonly Column<Supervisor.HeartbeatView>[] = [
  { title: 'Minute', cell: ({ at }) => <Time at={at} /> },
  { title: 'Node', cell: ({ node_id }) => <NodeName id={node_id} /> },
  { title: 'Status', cell: ({ status }) => <Status of={status} /> },
  { title: 'Reports', cell: ({ count }) => count },
  { title: 'Agent', cell: ({ agent_version }) => agent_version ?? 'none' },
];
