import type { Main } from '@landlord/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { structureQuery } from '../../api/queries.js';
import { readQuery } from '../../api/read.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { SelectField } from '../../ui/form/field.js';
import { List } from '../../ui/list.js';
import type { Column } from '../../ui/table.js';
import { NewChannel } from './new-channel.js';
import { requestsOf } from './owner.js';

/** The places to which the organization, or a division, sends its events. */
export function ChannelsScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/channels' });
  const { page = 1, ...owner } = useSearch({ from: '/signed-in/t/$tenantId/channels' });
  const { reads, ids } = requestsOf(owner);
  const channels = useQuery(readQuery(tenantId, reads.list, { ...ids, page }));
  return (
    <>
      <TenantHead title="Channels" />
      <p>A channel sends events to an e-mail address, to Slack or to an address of your own program.</p>
      <OwnerField tenantId={tenantId} division={owner.division} />
      <NewChannel key={owner.division} tenantId={tenantId} owner={owner} />
      <List
        label="Channels"
        query={channels}
        columns={columnsOf(tenantId)}
        keyOf={({ id }) => id}
        empty="There is no channel yet."
      />
    </>
  );
}

function OwnerField({ tenantId, division }: { tenantId: number; division: number | undefined }) {
  const { data } = useSuspenseQuery(structureQuery(tenantId));
  const navigate = useNavigate();
  const choices = data.divisions.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <SelectField
      label="Channels of"
      name="division"
      value={String(division ?? '')}
      onChange={(chosen) => void navigate({ to: '.', search: chosen === '' ? {} : { division: Number(chosen) } })}
      choices={[{ value: '', label: 'The organization' }, ...choices]}
    />
  );
}

const columnsOf = (tenantId: number): readonly Column<Main.ChannelItemView>[] => [
  {
    title: 'Name',
    cell: ({ id, name, owner_kind, owner_id }) => (
      <Link
        to="/t/$tenantId/channels/$channelId"
        params={{ tenantId, channelId: id }}
        search={owner_kind === 'division' ? { division: owner_id } : {}}
      >
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { title: 'Kind', cell: ({ channel }) => channel },
  { title: 'State', cell: ({ enabled }) => (enabled ? 'on' : 'off') },
];
