import type { Main } from '@landlord/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { landlord } from '../../api/client.js';
import { sessionsQuery } from '../../api/queries/account.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { ConfirmButton } from '../../ui/overlay/confirm-button.js';
import { Pages } from '../../ui/list/pages.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Time } from '../../ui/text/time.js';

/** The browsers in which the person is signed in. */
export function Sessions({ page }: { page: number }) {
  const { data } = useSuspenseQuery(sessionsQuery(page));
  const endOthers = useAccountChange(() => landlord.sessions.endOthers());
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <Table label="Sessions" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
      <Pages {...data} />
      <ConfirmButton
        action="End all other sessions"
        question="End all sessions except this one?"
        send={endOthers}
        disabledReason={data.total_results < 2 ? 'There is no other session.' : null}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Main.SessionView>[] = [
  { title: 'Browser', cell: ({ user_agent }) => <bdi>{user_agent === '' ? 'unknown' : user_agent}</bdi> },
  { title: 'Address', cell: ({ address }) => <bdi>{address}</bdi> },
  { title: 'Signed in', cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Last seen', cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  { title: 'Ends', cell: ({ expires_at }) => <Time at={expires_at} /> },
  { title: 'Actions', cell: ({ id, current }) => (current ? 'this session' : <End id={id} />) },
];

function End({ id }: { id: number }) {
  const end = useAccountChange(() => landlord.sessions.end({ session_id: id }));
  return <ConfirmButton action="End" question="End this session?" send={end} />;
}
