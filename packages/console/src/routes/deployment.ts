import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { operationsQuery, type OperationsFilter } from '../api/queries/operations.js';
import { queryClient } from '../api/query-client.js';
import { searchOfLogs } from '../screens/deployment/logs/search.js';
import { searchOfMetrics } from '../screens/deployment/metrics/search.js';
import { searchOfOperations } from '../screens/deployment/operations/search.js';
import { deploymentRoute, readRefusals } from './deployment-base.js';
import { workRoutes } from './deployment-work.js';

const overviewRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/',
  staticData: { title: 'Overview' },
  loader: ({ params }) => readRefusals(params, 'deployment:credentials:read'),
  component: lazyRouteComponent(() => import('../screens/deployment/deployment-screen.js'), 'DeploymentScreen'),
});

const logsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/logs',
  staticData: { title: 'Logs' },
  validateSearch: searchOfLogs,
  component: lazyRouteComponent(() => import('../screens/deployment/logs/logs-screen.js'), 'LogsScreen'),
});

const metricsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/metrics',
  staticData: { title: 'Metrics' },
  validateSearch: searchOfMetrics,
  component: lazyRouteComponent(() => import('../screens/deployment/metrics/metrics-screen.js'), 'MetricsScreen'),
});

const operationsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/operations',
  staticData: { title: 'Operations' },
  validateSearch: searchOfOperations,
  loaderDeps: ({ search: { page = 1, type, status } }) => ({
    page,
    filter: { ...(type && { type }), ...(status && { status }) },
  }),
  loader: ({ params: { tenantId, deploymentId }, deps: { page, filter } }) =>
    queryClient.ensureQueryData(operationsQuery(tenantId, deploymentId, page, filter as OperationsFilter)),
  component: lazyRouteComponent(
    () => import('../screens/deployment/operations/operations-screen.js'),
    'OperationsScreen',
  ),
});

const accessRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/access',
  staticData: { title: 'Access' },
  loader: ({ params }) => readRefusals(params, 'deployment:access:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/access/access-screen.js'), 'AccessScreen'),
});

const settingsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/settings',
  staticData: { title: 'Settings' },
  loader: ({ params }) => readRefusals(params, 'deployment:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/settings/settings-screen.js'), 'SettingsScreen'),
});

export const deploymentRoutes = deploymentRoute.addChildren([
  overviewRoute,
  logsRoute,
  metricsRoute,
  operationsRoute,
  accessRoute,
  settingsRoute,
  ...workRoutes,
]);
