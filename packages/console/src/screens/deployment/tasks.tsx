import type { Supervisor } from '@landlord/sdk';
import { Status } from '../../ui/text/status.js';
import type { Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';
import styles from './deployment.module.css';
import { DeploymentButton } from './deployment-request.js';
import { List } from '../../ui/list/list.js';
import { NodeName } from './node-name.js';
import { Section } from '../../ui/section.js';
import { useLive } from './use-deployment.js';

type Task = Supervisor.TaskView;

const COLUMNS: readonly Column<Task>[] = [
  { title: 'Requested', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Status', cell: ({ status }) => <Status of={status} isWork /> },
  { title: 'Nodes', cell: ({ nodes }) => nodes.map((node) => <Node key={node.node_id} {...node} />) },
  { title: 'Ended', cell: ({ finished_at }) => (finished_at === null ? 'not yet' : <Time at={finished_at} />) },
];

const Node = ({ node_id, status, error }: Supervisor.TaskNodeView) => (
  <div>
    <NodeName id={node_id} /> <Status of={status} isWork /> {error}
  </div>
);

/** Applies the active configuration to the nodes, one node at a time. */
export function Tasks({ type }: { type: Task['type'] }) {
  const tasks = useLive('tasks.list', {});
  return (
    <Section title="Apply to the nodes">
      <p>The nodes change one at a time. A node that does not start returns to its last configuration.</p>
      <div className={styles['gap']}>
        <DeploymentButton
          request="tasks.create"
          input={{ type }}
          action="Apply the active configuration"
          kind="primary"
          question="Apply the active configuration? Each node restarts its programs where a changed value needs it, one node at a time."
        />
      </div>
      <List
        label="Tasks"
        query={{ ...tasks, data: tasks.data?.filter((task) => task.type === type) }}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No task yet."
      />
    </Section>
  );
}
