import type { Supervisor } from '@landlord/sdk';
import { Status } from '../../../ui/text/status.js';
import { Table, type Column } from '../../../ui/list/table.js';
import { Section } from '../../../ui/section.js';

const COLUMNS: readonly Column<Supervisor.NodeView>[] = [
  { title: 'Name', cell: ({ name }) => name },
  {
    title: 'Status',
    cell: ({ status, status_reason }) => (
      <>
        <Status of={status} />
        {status_reason !== null && <div>{status_reason}</div>}
      </>
    ),
  },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Broker', cell: ({ driver }) => driver },
  { title: 'Address', cell: ({ endpoints }) => <code>{endpoints.tcp ?? 'none yet'}</code> },
];

export const Nodes = ({ nodes }: { nodes: readonly Supervisor.NodeView[] }) => (
  <Section title="Nodes">
    <Table label="Nodes" columns={COLUMNS} rows={nodes} keyOf={({ id }) => id} />
  </Section>
);
