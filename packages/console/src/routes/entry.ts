import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { isPath } from '../api/next-page.js';
import { queryClient } from '../api/query-client.js';
import { accountQuery } from '../api/session.js';
import { rootRoute } from './base.js';

/** The page to which a person is on the way, and the address that the person has typed. */
const searchOfEntry = ({ next, email }: Record<string, unknown>): { next?: string; email?: string } => ({
  ...(isPath(next) && { next }),
  ...(typeof email === 'string' && email !== '' && { email }),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  staticData: { title: 'Sign in' },
  validateSearch: searchOfEntry,
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-in-screen.js'), 'SignInScreen'),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  staticData: { title: 'Sign up' },
  validateSearch: searchOfEntry,
  component: lazyRouteComponent(() => import('../screens/sign-in/sign-up-screen.js'), 'SignUpScreen'),
});

/** The link of the mail after a sign-up. */
const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify',
  staticData: { title: 'Verify your address' },
  loader: () => queryClient.ensureQueryData(accountQuery),
  component: lazyRouteComponent(() => import('../screens/sign-in/verify-screen.js'), 'VerifyScreen'),
});

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot',
  staticData: { title: 'Forgotten password' },
  component: lazyRouteComponent(() => import('../screens/sign-in/forgot-screen.js'), 'ForgotScreen'),
});

/** The link of the mail for a new password. */
const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  staticData: { title: 'New password' },
  component: lazyRouteComponent(() => import('../screens/sign-in/reset-screen.js'), 'ResetScreen'),
});

/** The link of the mail that asks for consent to notifications. */
const confirmAddressRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-address',
  staticData: { title: 'Consent to notifications' },
  component: lazyRouteComponent(() => import('../screens/sign-in/address-screens.js'), 'ConfirmAddressScreen'),
});

/** The link in each notification by mail. */
const unsubscribeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/unsubscribe',
  staticData: { title: 'Unsubscribe' },
  component: lazyRouteComponent(() => import('../screens/sign-in/address-screens.js'), 'UnsubscribeScreen'),
});

/** The link that `npm start` prints. */
const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  staticData: { title: 'Welcome' },
  component: lazyRouteComponent(() => import('../screens/sign-in/welcome-screen.js'), 'WelcomeScreen'),
});

export const entryRoutes = [
  signInRoute,
  signUpRoute,
  verifyRoute,
  forgotRoute,
  resetRoute,
  confirmAddressRoute,
  unsubscribeRoute,
  welcomeRoute,
] as const;
