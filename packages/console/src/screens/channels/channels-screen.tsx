import type { Main } from '@landlord/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { structureQuery } from '../../api/queries.js';
import { readQuery } from '../../api/read.js';
import { FILTERS } from '../../generated/values.js';
import { TenantHead } from '../../shell/tenant-head.js';
import { choicesOf, Filters, LONGEST } from '../../ui/list/filters.js';
import { List } from '../../ui/list/list.js';
import type { Column } from '../../ui/list/table.js';
import { NewChannel } from './new-channel.js';
import { requestsOf } from './owner.js';

const STATES = [
  { value: 'true', label: 'on' },
  { value: 'false', label: 'off' },
];

/** The places to which the organization, or a division, sends its events. */
export function ChannelsScreen() {
  const { tenantId } = useParams({ from: '/signed-in/t/$tenantId/channels' });
  const { page = 1, division, channel, name, enabled } = useSearch({ from: '/signed-in/t/$tenantId/channels' });
  const owner = { ...(division !== undefined && { division }) };
  const { reads, ids } = requestsOf(owner);
  const { data: structure } = useSuspenseQuery(structureQuery(tenantId));
  const divisions = structure.divisions.map(({ id, name }) => ({ value: String(id), label: name }));
  const channels = useQuery(
    readQuery(tenantId, reads.list, {
      ...ids,
      page,
      ...(channel && { channel: channel as Main.ChannelItemView['channel'] }),
      ...(name && { name }),
      ...(enabled && { enabled: enabled === 'true' }),
    }),
  );
  return (
    <>
      <TenantHead title="Channels" />
      <p>A channel sends events to an e-mail address, to Slack or to an address of your own program.</p>
      <Filters
        fields={[
          { name: 'division', label: 'Only channels of the division', choices: divisions },
          { name: 'name', label: 'Name of the channel', longest: LONGEST },
          { name: 'channel', label: 'Kind', choices: choicesOf(FILTERS['channels.list'].channel) },
          { name: 'enabled', label: 'State', choices: STATES },
        ]}
        values={{ division, name, channel, enabled }}
      />
      <NewChannel key={division} tenantId={tenantId} owner={owner} />
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
