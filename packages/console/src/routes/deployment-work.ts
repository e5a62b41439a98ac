import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOfActivities } from '../screens/deployment/activities/search.js';
import { searchOfConfigs } from '../screens/deployment/configs/search.js';
import { searchOfCatalogue, searchOfInstance } from '../screens/deployment/connectors/search.js';
import { searchOfNetwork } from '../screens/deployment/network/search.js';
import { searchOfNodePages } from '../screens/deployment/node-search.js';
import { idsOf } from './base.js';
import { deploymentRoute, readRefusals } from './deployment-base.js';

const configsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/configuration',
  staticData: { title: 'Configuration' },
  validateSearch: searchOfConfigs,
  loader: ({ params }) => readRefusals(params, 'deployment:config:manage', 'deployment:task:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/configs/configs-screen.js'), 'ConfigsScreen'),
});

const connectorsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/connectors',
  staticData: { title: 'Connectors' },
  validateSearch: searchOfCatalogue,
  loader: ({ params }) => readRefusals(params, 'deployment:connector:manage', 'deployment:task:manage'),
  component: lazyRouteComponent(
    () => import('../screens/deployment/connectors/connectors-screen.js'),
    'ConnectorsScreen',
  ),
});

const instanceRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/connectors/$instanceId',
  staticData: { title: 'Connector' },
  params: idsOf('instanceId'),
  validateSearch: searchOfInstance,
  loader: ({ params }) => readRefusals(params, 'deployment:connector:manage', 'deployment:config:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/connectors/instance-screen.js'), 'InstanceScreen'),
});

const backupsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/backups',
  staticData: { title: 'Backups' },
  loader: ({ params }) => readRefusals(params, 'deployment:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/backups/backups-screen.js'), 'BackupsScreen'),
});

const snapshotsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/snapshots',
  staticData: { title: 'Snapshots' },
  validateSearch: searchOfNodePages,
  loader: ({ params }) => readRefusals(params, 'deployment:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/snapshots/snapshots-screen.js'), 'SnapshotsScreen'),
});

const networkRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/network',
  staticData: { title: 'Network' },
  validateSearch: searchOfNetwork,
  loader: ({ params }) => readRefusals(params, 'deployment:network:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/network/network-screen.js'), 'NetworkScreen'),
});

const upgradeRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/upgrade',
  staticData: { title: 'Upgrade' },
  loader: ({ params }) => readRefusals(params, 'deployment:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/upgrade/upgrade-screen.js'), 'UpgradeScreen'),
});

const securityRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/security',
  staticData: { title: 'Security' },
  loader: ({ params }) => readRefusals(params, 'deployment:manage'),
  component: lazyRouteComponent(() => import('../screens/deployment/security/security-screen.js'), 'SecurityScreen'),
});

const activitiesRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/activities',
  staticData: { title: 'Activities' },
  validateSearch: searchOfActivities,
  loader: ({ params }) => readRefusals(params, 'deployment:manage'),
  component: lazyRouteComponent(
    () => import('../screens/deployment/activities/activities-screen.js'),
    'ActivitiesScreen',
  ),
});

const nodesRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/nodes',
  staticData: { title: 'Nodes' },
  validateSearch: searchOfNodePages,
  component: lazyRouteComponent(() => import('../screens/deployment/nodes/nodes-screen.js'), 'NodesScreen'),
});

/** The screens of what people do with a deployment after its creation. */
export const workRoutes = [
  configsRoute,
  connectorsRoute,
  instanceRoute,
  backupsRoute,
  snapshotsRoute,
  networkRoute,
  upgradeRoute,
  securityRoute,
  activitiesRoute,
  nodesRoute,
] as const;
