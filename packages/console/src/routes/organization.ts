import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { deploymentsQuery, structureQuery } from '../api/queries.js';
import {
  auditQuery,
  invoicesQuery,
  keysQuery,
  limitsQuery,
  membersQuery,
  rolesQuery,
  type AuditType,
} from '../api/queries/organization.js';
import { joinRequestQuery } from '../api/queries/join-requests.js';
import { missingPermissionsQuery } from '../api/queries/permissions.js';
import { queryClient } from '../api/query-client.js';
import type { Kind } from '../order/order.js';
import { readPage, type PageSearch } from '../ui/pages.js';
import { idsOf, signedInRoute } from './base.js';

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    const tenant = context.account.tenants.find(({ active }) => active);
    if (!context.account.verified) throw redirect({ to: '/verify' });
    if (tenant) throw redirect({ to: '/t/$tenantId', params: { tenantId: tenant.id } });
  },
  component: lazyRouteComponent(() => import('../screens/tenant/no-tenant-screen.js'), 'NoTenantScreen'),
});

const tenantRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId',
  params: idsOf('tenantId'),
  validateSearch: readPage,
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: ({ params: { tenantId }, deps: { page } }) =>
    Promise.all([
      queryClient.ensureQueryData(deploymentsQuery(tenantId, page)),
      queryClient.ensureQueryData(structureQuery(tenantId)),
    ]),
  component: lazyRouteComponent(() => import('../screens/tenant/tenant-screen.js'), 'TenantScreen'),
});

const divisionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/divisions',
  params: idsOf('tenantId'),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(structureQuery(tenantId)),
  component: lazyRouteComponent(() => import('../screens/divisions/divisions-screen.js'), 'DivisionsScreen'),
});

const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/keys',
  params: idsOf('tenantId'),
  validateSearch: readPage,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ params: { tenantId }, deps: { page } }) => queryClient.ensureQueryData(keysQuery(tenantId, page)),
  component: lazyRouteComponent(() => import('../screens/keys/keys-screen.js'), 'KeysScreen'),
});

const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/members',
  params: idsOf('tenantId'),
  validateSearch: readPage,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ params: { tenantId }, deps: { page } }) => queryClient.ensureQueryData(membersQuery(tenantId, page)),
  component: lazyRouteComponent(() => import('../screens/members/members-screen.js'), 'MembersScreen'),
});

/** The link of the mail to the owner. */
const joinRequestRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/join-requests/$joinRequestId',
  params: idsOf('tenantId', 'joinRequestId'),
  loader: ({ params: { tenantId, joinRequestId } }) =>
    Promise.all([
      queryClient.ensureQueryData(joinRequestQuery(tenantId, joinRequestId)),
      queryClient.prefetchQuery(missingPermissionsQuery(tenantId, {}, ['member:manage'])),
    ]),
  component: lazyRouteComponent(() => import('../screens/join-requests/join-request-screen.js'), 'JoinRequestScreen'),
});

const rolesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/roles',
  params: idsOf('tenantId'),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(rolesQuery(tenantId)),
  component: lazyRouteComponent(() => import('../screens/roles/roles-screen.js'), 'RolesScreen'),
});

const planRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/plan',
  params: idsOf('tenantId'),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(limitsQuery(tenantId)),
  component: lazyRouteComponent(() => import('../screens/plan/plan-screen.js'), 'PlanScreen'),
});

const invoicesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/invoices',
  params: idsOf('tenantId'),
  validateSearch: readPage,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ params: { tenantId }, deps: { page } }) => queryClient.ensureQueryData(invoicesQuery(tenantId, page)),
  component: lazyRouteComponent(() => import('../screens/invoices/invoices-screen.js'), 'InvoicesScreen'),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/audit',
  params: idsOf('tenantId'),
  validateSearch: (search: Record<string, unknown>): PageSearch & { type?: AuditType } => ({
    ...readPage(search),
    ...(typeof search['type'] === 'string' && { type: search['type'] as AuditType }),
  }),
  loaderDeps: ({ search: { page = 1, type } }) => ({ page, type }),
  loader: ({ params: { tenantId }, deps: { page, type } }) =>
    queryClient.ensureQueryData(auditQuery(tenantId, page, type)),
  component: lazyRouteComponent(() => import('../screens/audit/audit-screen.js'), 'AuditScreen'),
});

const newDeploymentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/new',
  params: idsOf('tenantId'),
  validateSearch: ({ kind }: Record<string, unknown>): { kind?: Kind } => (kind === 'managed' ? { kind } : {}),
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
  planRoute,
  invoicesRoute,
  auditRoute,
  newDeploymentRoute,
] as const;
