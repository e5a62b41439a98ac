import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.js';
import { accountQuery } from '../api/session.js';
import { ErrorScreen, NotFoundScreen } from '../shell/outcomes.js';
import { TitledPage } from '../shell/page-title.js';
import { Shell } from '../shell/shell.js';

export const rootRoute = createRootRoute({
  component: TitledPage,
  errorComponent: ErrorScreen,
  notFoundComponent: NotFoundScreen,
});

/** Ids in an address are texts, and numbers for the code. */
export const idsOf = <Names extends string>(...names: Names[]) => ({
  parse: (raw: Record<Names, string>) =>
    Object.fromEntries(names.map((name) => [name, Number(raw[name])])) as Record<Names, number>,
  stringify: (ids: Record<Names, number>) =>
    Object.fromEntries(names.map((name) => [name, String(ids[name])])) as Record<Names, string>,
});

/** Everything below needs a session. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ location }) => {
    const account = await queryClient.ensureQueryData(accountQuery);
    if (account === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
    return { account };
  },
  component: Shell,
});
