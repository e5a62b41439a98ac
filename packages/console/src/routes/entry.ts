import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './base.js';

/** Where a person goes on after signing in: a path of the console, and no other address. */
const searchOfSignIn = (search: Record<string, unknown>): { next?: string } => {
  const { next } = search;
  return typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {};
};

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: searchOfSignIn,
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.js'), 'SignInScreen'),
});

/** The link that `npm start` prints. */
const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  component: lazyRouteComponent(() => import('../screens/sign-in/welcome-screen.js'), 'WelcomeScreen'),
});

export const entryRoutes = [signInRoute, welcomeRoute] as const;
