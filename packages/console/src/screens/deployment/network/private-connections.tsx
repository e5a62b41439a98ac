import type { ReactNode } from 'react';
import type { RequestName } from '../../../request/find-shape.js';
import type { OwnFields } from '../../../request/request-fields.js';
import type { Column } from '../../../ui/list/table.js';
import { Described } from '../described.js';
import { DeploymentButton, DeploymentForm } from '../deployment-request.js';
import { List } from '../../../ui/list/list.js';
import type { Read } from '../../../ui/read-problem.js';
import { Disclosure } from '../../../ui/overlay/disclosure.js';
import { Section } from '../../../ui/section.js';
import { useDeployment } from '../use-deployment.js';

/** What every private connection has. */
export interface PrivateConnection {
  id: number;
  name: string;
  remarks: string | null;
}

interface PrivateConnectionsProps<Row> {
  title: string;
  list: Read<readonly Row[]>;
  columns: readonly Column<Row>[];
  /** The requests, and the name of the id in their path. */
  requests: { create: RequestName; delete: RequestName; id: string };
  /** What the deletion means. */
  warning: string;
  own?: OwnFields;
  initial?: Readonly<Record<string, unknown>>;
  /** What is open in the list. */
  children?: ReactNode;
}

/** Private connections of one kind: the list, and a form for a new one. */
export function PrivateConnections<Row extends PrivateConnection>(props: PrivateConnectionsProps<Row>) {
  const { title, list, columns, requests, warning, own = {}, initial = {}, children } = props;
  const { deployment } = useDeployment();
  return (
    <Section title={title}>
      <List
        label={title}
        query={list}
        columns={[NAME, ...columns, deletion(requests, warning)]}
        keyOf={({ id }) => id}
        empty="There is none yet."
      />
      {children}
      <Disclosure title="New">
        <DeploymentForm
          request={requests.create}
          own={own}
          initial={initial}
          action="Create"
          disabledReason={
            deployment.features.private_networking === 'none' ? 'The deployment has no private networking.' : null
          }
        />
      </Disclosure>
    </Section>
  );
}

const NAME: Column<PrivateConnection> = {
  title: 'Name',
  cell: ({ name, remarks }) => <Described name={name} remarks={remarks} />,
};

const deletion = (
  requests: PrivateConnectionsProps<never>['requests'],
  warning: string,
): Column<PrivateConnection> => ({
  title: 'Delete',
  cell: ({ id, name }) => (
    <DeploymentButton
      request={requests.delete}
      ids={{ [requests.id]: id }}
      action="Delete"
      question={`Delete ${name}? ${warning}`}
    />
  ),
});
