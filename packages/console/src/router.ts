import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './routes/account.js';
import { rootRoute, signedInRoute } from './routes/base.js';
import { deploymentRoutes } from './routes/deployment.js';
import { entryRoutes } from './routes/entry.js';
import { costRoutes } from './routes/costs.js';
import { eventRoutes } from './routes/events.js';
import { organizationRoutes } from './routes/organization.js';
import { ErrorScreen, NotFoundScreen, Waiting } from './shell/outcomes.js';

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    ...entryRoutes,
    signedInRoute.addChildren([
      ...accountRoutes,
      ...organizationRoutes,
      ...eventRoutes,
      ...costRoutes,
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
  // What a page does not read from its address is no part of its address.
  search: { strict: true },
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
