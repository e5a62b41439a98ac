import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import {
  ownershipTransferQuery,
  ownershipTransfersQuery,
  receivedInvitationQuery,
  receivedInvitationsQuery,
  sessionsQuery,
} from '../api/queries/account.js';
import { queryClient } from '../api/query-client.js';
import { readPage } from '../ui/list/pages.js';
import { idsOf, signedInRoute } from './base.js';

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  staticData: { title: 'Your account' },
  validateSearch: readPage,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: ({ context: { account }, deps: { page } }) =>
    Promise.all([
      queryClient.ensureQueryData(sessionsQuery(page)),
      // Without a verified address, these answers are refusals.
      ...(account.verified
        ? [queryClient.prefetchQuery(receivedInvitationsQuery), queryClient.prefetchQuery(ownershipTransfersQuery)]
        : []),
    ]),
  component: lazyRouteComponent(() => import('../screens/account/account-screen.js'), 'AccountScreen'),
});

/** The link in the mail of an invitation. It can be for another address than that of the session. */
const invitationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/invitations/$invitationId',
  staticData: { title: 'Invitation' },
  params: idsOf('invitationId'),
  loader: ({ params: { invitationId } }) => queryClient.prefetchQuery(receivedInvitationQuery(invitationId)),
  component: lazyRouteComponent(() => import('../screens/account/invitation-screen.js'), 'InvitationScreen'),
});

/** The link in the mail that offers an organization. */
const transferRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account/ownership-transfers/$transferId',
  staticData: { title: 'Offered organization' },
  params: idsOf('transferId'),
  loader: ({ params: { transferId } }) => queryClient.prefetchQuery(ownershipTransferQuery(transferId)),
  component: lazyRouteComponent(() => import('../screens/account/transfer-screen.js'), 'TransferScreen'),
});

/** The router reads numbers in an address as numbers. */
const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The page that `landlord login --browser` opens, with its request. */
const commandLineRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/command-line',
  staticData: { title: 'Key for the command line' },
  validateSearch: ({ name, code_challenge, redirect_uri, state }: Record<string, unknown>) => ({
    ...{ name: textOf(name), code_challenge: textOf(code_challenge) },
    ...{ redirect_uri: textOf(redirect_uri), state: textOf(state) },
  }),
  component: lazyRouteComponent(() => import('../screens/account/command-line-screen.js'), 'CommandLineScreen'),
});

export const accountRoutes = [accountRoute, invitationRoute, transferRoute, commandLineRoute] as const;
