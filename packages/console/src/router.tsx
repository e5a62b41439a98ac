import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queryClient } from './api/query-client.js';
import { deploymentQuery, deploymentsQuery, structureQuery } from './api/queries.js';
import { accessRulesQuery } from './api/queries/access-rules.js';
import { operationsQuery } from './api/queries/operations.js';
import { missingPermissionsQuery, type Permission } from './api/queries/permissions.js';
import { auditQuery, keysQuery, membersQuery, type AuditType } from './api/queries/organization.js';
import type { Kind } from './order/order.js';
import { accountQuery } from './api/session.js';
import { searchOfLogs } from './screens/deployment/logs/search.js';
import { searchOfMetrics } from './screens/deployment/metrics/search.js';
import { searchOfOperations } from './screens/deployment/operations/search.js';
import { ErrorScreen, NotFoundScreen, Waiting } from './shell/outcomes.js';
import { Shell } from './shell/shell.js';
import { readPage, type PageSearch } from './ui/pages.js';

const rootRoute = createRootRoute({ errorComponent: ErrorScreen, notFoundComponent: NotFoundScreen });

const idsOf = <Names extends string>(...names: Names[]) => ({
  parse: (raw: Record<Names, string>) =>
    Object.fromEntries(names.map((name) => [name, Number(raw[name])])) as Record<Names, number>,
  stringify: (ids: Record<Names, number>) =>
    Object.fromEntries(names.map((name) => [name, String(ids[name])])) as Record<Names, string>,
});

/** Where a person goes on after signing in: a path of the console, and no other address. */
const searchOfSignIn = (search: Record<string, unknown>): { next?: string } => {
  const { next } = search;
  return typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {};
};

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: searchOfSignIn,
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen.js'), 'SignInScreen'),
});

/** The link that `npm start` prints. */
const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./screens/sign-in/welcome-screen.js'), 'WelcomeScreen'),
});

/** Everything below needs a session. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const account = await queryClient.ensureQueryData(accountQuery);
    if (account === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { account };
  },
  component: Shell,
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    const tenant = context.account.tenants.find(({ active }) => active);
    if (tenant) throw redirect({ to: '/t/$tenantId', params: { tenantId: tenant.id } });
  },
  component: lazyRouteComponent(() => import('./screens/tenant/no-tenant-screen.js'), 'NoTenantScreen'),
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
  component: lazyRouteComponent(() => import('./screens/tenant/tenant-screen.js'), 'TenantScreen'),
});

const divisionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/divisions',
  params: idsOf('tenantId'),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(structureQuery(tenantId)),
  component: lazyRouteComponent(() => import('./screens/divisions/divisions-screen.js'), 'DivisionsScreen'),
});

const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/keys',
  params: idsOf('tenantId'),
  validateSearch: readPage,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ params: { tenantId }, deps: { page } }) => queryClient.ensureQueryData(keysQuery(tenantId, page)),
  component: lazyRouteComponent(() => import('./screens/keys/keys-screen.js'), 'KeysScreen'),
});

const membersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/members',
  params: idsOf('tenantId'),
  validateSearch: readPage,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ params: { tenantId }, deps: { page } }) => queryClient.ensureQueryData(membersQuery(tenantId, page)),
  component: lazyRouteComponent(() => import('./screens/members/members-screen.js'), 'MembersScreen'),
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
  component: lazyRouteComponent(() => import('./screens/audit/audit-screen.js'), 'AuditScreen'),
});

const newDeploymentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/new',
  params: idsOf('tenantId'),
  validateSearch: ({ kind }: Record<string, unknown>): { kind?: Kind } => (kind === 'managed' ? { kind } : {}),
  loader: ({ params: { tenantId } }) => queryClient.ensureQueryData(structureQuery(tenantId)),
  component: lazyRouteComponent(
    () => import('./screens/new-deployment/new-deployment-screen.js'),
    'NewDeploymentScreen',
  ),
});

/** The head of all screens of a deployment. */
const deploymentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/t/$tenantId/deployments/$deploymentId',
  params: idsOf('tenantId', 'deploymentId'),
  loader: ({ params: { tenantId, deploymentId } }) =>
    queryClient.ensureQueryData(deploymentQuery(tenantId, deploymentId)),
  component: lazyRouteComponent(() => import('./screens/deployment/deployment-layout.js'), 'DeploymentLayout'),
});

interface DeploymentIds {
  tenantId: number;
  deploymentId: number;
}

/** Reads what the buttons of a screen need, before the screen appears. Without an answer the buttons stay on. */
async function readRefusals({ tenantId, deploymentId }: DeploymentIds, permission: Permission): Promise<void> {
  const { deployment } = await queryClient.ensureQueryData(deploymentQuery(tenantId, deploymentId));
  await queryClient.prefetchQuery(missingPermissionsQuery(tenantId, deployment, [permission]));
}

const overviewRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/',
  loader: ({ params }) => readRefusals(params, 'deployment:credentials:read'),
  component: lazyRouteComponent(() => import('./screens/deployment/deployment-screen.js'), 'DeploymentScreen'),
});

const logsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/logs',
  validateSearch: searchOfLogs,
  component: lazyRouteComponent(() => import('./screens/deployment/logs/logs-screen.js'), 'LogsScreen'),
});

const metricsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/metrics',
  validateSearch: searchOfMetrics,
  component: lazyRouteComponent(() => import('./screens/deployment/metrics/metrics-screen.js'), 'MetricsScreen'),
});

const operationsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/operations',
  validateSearch: searchOfOperations,
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: ({ params: { tenantId, deploymentId }, deps: { page } }) =>
    queryClient.ensureQueryData(operationsQuery(tenantId, deploymentId, page)),
  component: lazyRouteComponent(
    () => import('./screens/deployment/operations/operations-screen.js'),
    'OperationsScreen',
  ),
});

const accessRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/access',
  loader: ({ params }) => {
    // The screen does not wait for the Supervisor, which can be away.
    void queryClient.prefetchQuery(accessRulesQuery(params.tenantId, params.deploymentId));
    return readRefusals(params, 'deployment:access:manage');
  },
  component: lazyRouteComponent(() => import('./screens/deployment/access/access-screen.js'), 'AccessScreen'),
});

const settingsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/settings',
  loader: ({ params }) => readRefusals(params, 'deployment:manage'),
  component: lazyRouteComponent(() => import('./screens/deployment/settings/settings-screen.js'), 'SettingsScreen'),
});

const deploymentRoutes = deploymentRoute.addChildren([
  overviewRoute,
  logsRoute,
  metricsRoute,
  operationsRoute,
  accessRoute,
  settingsRoute,
]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    welcomeRoute,
    signedInRoute.addChildren([
      homeRoute,
      tenantRoute,
      divisionsRoute,
      keysRoute,
      membersRoute,
      auditRoute,
      newDeploymentRoute,
      deploymentRoutes,
    ]),
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  // The queries decide what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: Waiting,
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
