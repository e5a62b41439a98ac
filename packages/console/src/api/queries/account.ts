import type { Main } from '@landlord/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { landlord } from '../client.js';
import { ACCOUNT_KEY } from '../query-client.js';

export const sessionsQuery = (page: number) =>
  queryOptions({
    queryKey: [...ACCOUNT_KEY, 'sessions', page],
    queryFn: async (): Promise<Main.SessionPage> => landlord.sessions.list({ page }),
    placeholderData: keepPreviousData,
  });

/** A person without a verified address may not read invitations and offers, and still sees the page. */
export const receivedInvitationsQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'invitations'],
  queryFn: async (): Promise<Main.ReceivedInvitationPage> =>
    landlord.receivedInvitations.list({ status: 'pending', results: 100 }),
  throwOnError: false,
});

export const receivedInvitationQuery = (invitation_id: number) =>
  queryOptions({
    queryKey: [...ACCOUNT_KEY, 'invitation', invitation_id],
    queryFn: (): Promise<Main.ReceivedInvitationView> => landlord.receivedInvitations.get({ invitation_id }),
    throwOnError: false,
  });

export const ownershipTransfersQuery = queryOptions({
  queryKey: [...ACCOUNT_KEY, 'ownership-transfers'],
  queryFn: async (): Promise<Main.OwnershipTransferPage> => landlord.ownershipTransfers.list({ results: 100 }),
  throwOnError: false,
});

export const ownershipTransferQuery = (ownership_transfer_id: number) =>
  queryOptions({
    queryKey: [...ACCOUNT_KEY, 'ownership-transfer', ownership_transfer_id],
    queryFn: (): Promise<Main.OwnershipTransferView> => landlord.ownershipTransfers.get({ ownership_transfer_id }),
    throwOnError: false,
  });
