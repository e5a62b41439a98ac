import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { joinRequestsQuery } from '../../api/queries/join-requests.js';
import { Problem } from '../../ui/problem.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';

/** The people who ask to join. Without a request, nothing is shown: only organizations with a domain get requests. */
export function JoinRequests({ tenantId }: { tenantId: number }) {
  const { data, error } = useQuery(joinRequestsQuery(tenantId));
  if (!error && (data?.items.length ?? 0) === 0) return null;
  return (
    <section aria-labelledby="join-requests">
      <h2 id="join-requests">Requests to join</h2>
      {error && <Problem error={error} />}
      {data && (
        <Table label="Requests to join" columns={columnsOf(tenantId)} rows={data.items} keyOf={({ id }) => id} />
      )}
    </section>
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.JoinRequestView>[] => [
  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  { title: 'E-mail address', cell: ({ email }) => <bdi>{email}</bdi> },
  { title: 'Asked', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Actions', cell: ({ id, name }) => <Answer tenantId={tenantId} joinRequestId={id} name={name} /> },
];

const Answer = ({ name, ...params }: { tenantId: number; joinRequestId: number; name: string }) => (
  <Link to="/t/$tenantId/join-requests/$joinRequestId" params={params} aria-label={`Answer ${name}`}>
    Answer
  </Link>
);
