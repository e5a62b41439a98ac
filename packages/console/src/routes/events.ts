import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { structureQuery } from '../api/queries.js';
import { auditQuery } from '../api/queries/organization.js';
import { queryClient } from '../api/query-client.js';
import { readQuery } from '../api/read.js';
import { requestsOf } from '../screens/channels/owner.js';
import { queryOf, searchOfAudit } from '../screens/audit/search.js';
import { FILTERS } from '../generated/values.js';
import { readIds, searchOf, TEXT } from '../ui/list/filters.js';
import { idsOf, signedInRoute } from './base.js';

/** A list of the organization, or of one of its divisions. */
const searchOfOwner =
  <Name extends string>(allowed: Readonly<Record<Name, readonly string[] | RegExp>>) =>
  (search: Record<string, unknown>) => ({ ...searchOf(allowed)(search), ...readIds(search, 'division') });

const channelsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/channels',
  staticData: { title: 'Channels' },
  params: idsOf('tenantId'),
  validateSearch: searchOfOwner({ ...FILTERS['channels.list'], name: TEXT, enabled: ['true', 'false'] }),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(structureQuery(tenantId)),
  component: lazyRouteComponent(() => import('../screens/channels/channels-screen.js'), 'ChannelsScreen'),
});

const searchOfChannel = searchOfOwner(FILTERS['deliveries.list']);

const channelRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/channels/$channelId',
  staticData: { title: 'Channel' },
  params: idsOf('tenantId', 'channelId'),
  validateSearch: searchOfChannel,
  loaderDeps: ({ search: { division } }) => (division === undefined ? {} : { division }),
  loader: ({ params: { tenantId, channelId }, deps }) => {
    const { reads, ids } = requestsOf(deps);
    return queryClient.prefetchQuery(readQuery(tenantId, reads.get, { ...ids, channel_id: channelId }));
  },
  component: lazyRouteComponent(() => import('../screens/channels/channel-screen.js'), 'ChannelScreen'),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/audit',
  staticData: { title: 'Audit' },
  params: idsOf('tenantId'),
  validateSearch: searchOfAudit,
  loaderDeps: ({ search: { page = 1, ...filter } }) => ({ page, filter }),
  loader: ({ params: { tenantId }, deps: { page, filter } }) =>
    queryClient.ensureQueryData(auditQuery(tenantId, page, queryOf(filter))),
  component: lazyRouteComponent(() => import('../screens/audit/audit-screen.js'), 'AuditScreen'),
});

/** What happens, and where events go. */
export const eventRoutes = [channelsRoute, channelRoute, auditRoute] as const;
