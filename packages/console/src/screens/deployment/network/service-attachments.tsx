import type { Supervisor } from '@landlord/sdk';
import { Explained, Status } from '../../../ui/text/status.js';
import type { Column } from '../../../ui/list/table.js';
import { Time } from '../../../ui/text/time.js';
import { List } from '../../../ui/list/list.js';
import { useLive } from '../use-deployment.js';
import { Instructions, OpenLink } from './instructions.js';
import { PrivateConnections } from './private-connections.js';

type Attachment = Supervisor.ServiceAttachmentView;

const REQUESTS = {
  create: 'serviceAttachments.create',
  delete: 'serviceAttachments.delete',
  id: 'attachment_id',
} as const;

/** Service attachments for Private Service Connect on Google Cloud. */
export function ServiceAttachments({ open }: { open: number | undefined }) {
  const list = useLive('serviceAttachments.list', {});
  return (
    <PrivateConnections
      title="Service attachments (Private Service Connect)"
      list={list}
      columns={columnsOf(open)}
      requests={REQUESTS}
      warning="Endpoints of consumers stop working."
    >
      {open !== undefined && <Details key={open} attachment={open} />}
    </PrivateConnections>
  );
}

function Details({ attachment }: { attachment: number }) {
  const ids = { attachment_id: attachment };
  const connections = useLive('serviceAttachments.listConnections', ids);
  return (
    <>
      <Instructions answer={useLive('serviceAttachments.getInstructions', ids)} />
      <h3>Connections</h3>
      <List
        label="Connections"
        query={connections}
        columns={CONNECTIONS}
        keyOf={({ id }) => id}
        empty="No consumer has connected yet."
      />
    </>
  );
}

const columnsOf = (open: number | undefined): readonly Column<Attachment>[] => [
  { title: 'State', cell: ({ state, state_reason }) => <Explained of={state} reason={state_reason} isWork /> },
  { title: 'Address', cell: ({ service_attachment_uri }) => <code>{service_attachment_uri ?? 'none yet'}</code> },
  { title: 'Projects', cell: ({ consumer_accept_lists }) => consumer_accept_lists.join(', ') || 'any project' },
  { title: 'Next steps', cell: ({ id }) => <OpenLink opened={{ attachment: id }} isOpen={id === open} /> },
];

const CONNECTIONS: readonly Column<Supervisor.AttachmentConnectionView>[] = [
  { title: 'Connection', cell: ({ connection_id }) => <code>{connection_id}</code> },
  { title: 'Project', cell: ({ consumer_project_id }) => <code>{consumer_project_id}</code> },
  { title: 'Network', cell: ({ consumer_network }) => <code>{consumer_network ?? 'not known'}</code> },
  { title: 'Status', cell: ({ status }) => <Status of={status} isWork /> },
  { title: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
];
