import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { deploymentsQuery, structureQuery, type DeploymentsFilter } from '../api/queries.js';
import { membersQuery } from '../api/queries/organization.js';
import { joinRequestQuery } from '../api/queries/join-requests.js';
import { refusalQuery } from '../api/queries/permissions.js';
import { queryClient } from '../api/query-client.js';
import { readQuery } from '../api/read.js';
import { membersOf, searchOfMembers } from '../screens/members/search.js';
import { searchOfOrder } from '../screens/new-deployment/search.js';
import { FILTERS } from '../generated/values.js';
import { REGION, searchOf, TEXT } from '../ui/list/filters.js';
import { readPage } from '../ui/list/pages.js';
import { idsOf, signedInRoute } from './base.js';

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  staticData: { title: 'No organization' },
  beforeLoad: ({ context }) => {
    const tenant = context.account.tenants.find(({ active }) => active);
    if (!context.account.verified) throw redirect({ to: '/verify' });
    if (tenant) throw redirect({ to: '/t/$tenantId', params: { tenantId: tenant.id } });
  },
  component: lazyRouteComponent(() => import('../screens/tenant/no-tenant-screen.js'), 'NoTenantScreen'),
});

const searchOfDeployments = searchOf({ ...FILTERS['deployments.listAll'], name: TEXT, region: REGION });

const tenantRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId',
  staticData: { title: 'Deployments' },
  params: idsOf('tenantId'),
  validateSearch: searchOfDeployments,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { tenantId }, deps: { page = 1, ...filter } }) =>
    Promise.all([
      queryClient.ensureQueryData(deploymentsQuery(tenantId, page, filter as DeploymentsFilter)),
      queryClient.ensureQueryData(structureQuery(tenantId)),
    ]),
  component: lazyRouteComponent(() => import('../screens/tenant/tenant-screen.js'), 'TenantScreen'),
});

const divisionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/divisions',
  staticData: { title: 'Divisions' },
  params: idsOf('tenantId'),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(structureQuery(tenantId)),
  component: lazyRouteComponent(() => import('../screens/divisions/divisions-screen.js'), 'DivisionsScreen'),
});

const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/keys',
  staticData: { title: 'API keys' },
  params: idsOf('tenantId'),
  validateSearch: searchOf({ name: TEXT }),
  component: lazyRouteComponent(() => import('../screens/keys/keys-screen.js'), 'KeysScreen'),
});

const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/members',
  staticData: { title: 'Members' },
  params: idsOf('tenantId'),
  validateSearch: searchOfMembers,
  loaderDeps: ({ search: { page = 1, state, email } }) => ({
    page,
    filter: membersOf({ ...(state && { state }), ...(email && { email }) }),
  }),
  loader: ({ params: { tenantId }, deps: { page, filter } }) =>
    queryClient.ensureQueryData(membersQuery(tenantId, page, filter)),
  component: lazyRouteComponent(() => import('../screens/members/members-screen.js'), 'MembersScreen'),
});

/** The link of the mail to the owner. */
const joinRequestRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/join-requests/$joinRequestId',
  staticData: { title: 'Request to join' },
  params: idsOf('tenantId', 'joinRequestId'),
  loader: ({ params: { tenantId, joinRequestId } }) =>
    Promise.all([
      queryClient.ensureQueryData(joinRequestQuery(tenantId, joinRequestId)),
      queryClient.prefetchQuery(refusalQuery(tenantId, {}, 'member:manage')),
    ]),
  component: lazyRouteComponent(() => import('../screens/join-requests/join-request-screen.js'), 'JoinRequestScreen'),
});

const rolesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/roles',
  staticData: { title: 'Roles' },
  params: idsOf('tenantId'),
  validateSearch: searchOf({ ...FILTERS['roles.list'], name: TEXT }),
  component: lazyRouteComponent(() => import('../screens/roles/roles-screen.js'), 'RolesScreen'),
});

const roleRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/roles/$roleId',
  staticData: { title: 'Role' },
  params: idsOf('tenantId', 'roleId'),
  loader: ({ params: { tenantId, roleId } }) =>
    queryClient.prefetchQuery(readQuery(tenantId, 'roles.get', { role_id: roleId })),
  validateSearch: readPage,
  component: lazyRouteComponent(() => import('../screens/roles/role-screen.js'), 'RoleScreen'),
});

const keyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/keys/$keyId',
  staticData: { title: 'API key' },
  params: idsOf('tenantId', 'keyId'),
  loader: ({ params: { tenantId, keyId } }) =>
    queryClient.prefetchQuery(readQuery(tenantId, 'apiKeys.get', { api_key_id: keyId })),
  component: lazyRouteComponent(() => import('../screens/keys/key-screen.js'), 'KeyScreen'),
});

const divisionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/divisions/$divisionId',
  staticData: { title: 'Division' },
  params: idsOf('tenantId', 'divisionId'),
  loader: ({ params: { tenantId, divisionId } }) =>
    queryClient.prefetchQuery(readQuery(tenantId, 'divisions.get', { division_id: divisionId })),
  component: lazyRouteComponent(() => import('../screens/divisions/division-screen.js'), 'DivisionScreen'),
});

const cloudAccountsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/cloud-accounts',
  staticData: { title: 'Cloud accounts' },
  params: idsOf('tenantId'),
  validateSearch: searchOf({ ...FILTERS['cloudAccounts.list'], name: TEXT, region: REGION }),
  component: lazyRouteComponent(
    () => import('../screens/cloud-accounts/cloud-accounts-screen.js'),
    'CloudAccountsScreen',
  ),
});

const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/settings',
  staticData: { title: 'Settings' },
  params: idsOf('tenantId'),
  component: lazyRouteComponent(() => import('../screens/settings/settings-screen.js'), 'SettingsScreen'),
});

const newDeploymentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/new',
  staticData: { title: 'New deployment' },
  params: idsOf('tenantId'),
  validateSearch: searchOfOrder,
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(structureQuery(tenantId)),
  component: lazyRouteComponent(
    () => import('../screens/new-deployment/new-deployment-screen.js'),
    'NewDeploymentScreen',
  ),
});

export const organizationRoutes = [
  homeRoute,
  tenantRoute,
  divisionsRoute,
  keysRoute,
  membersRoute,
  joinRequestRoute,
  rolesRoute,
  roleRoute,
  keyRoute,
  divisionRoute,
  cloudAccountsRoute,
  settingsRoute,
  newDeploymentRoute,
] as const;
