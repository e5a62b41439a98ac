import {
  ChannelConfirmationsRepository,
  ChannelsRepository,
  SubscriptionsRepository,
  type Channel,
} from '../src/channels/index.js';
import { callsOf } from './calls-of.fixture.js';
import { CHANNEL, HASH, ROW, TENANT } from './typeorm-rows.fixture.js';

const OWNER = { tenantId: TENANT, divisionId: null };
const CHANGED: Channel = {
  ...{ ...OWNER, id: CHANNEL, channel: 'slack', name: 'New', enabled: true, destination: 'd', remarks: null },
  ...{ settings: null, confirmedAddress: null, isConfirmed: true, createdAt: new Date(), updatedAt: new Date() },
};
const SUBSCRIPTION = {
  messageTypes: ['x'],
  tenantIds: [TENANT],
  divisionIds: [],
  environmentIds: [],
  deploymentIds: [],
};

export const CHANNELS_CALLS = [
  callsOf(ChannelsRepository, {
    find: (channels) => channels.find({ ...OWNER, tenantId: TENANT + 1 }, CHANNEL),
    findIdByName: (channels) => channels.findIdByName(OWNER, 'CHANNEL'),
    insert: (channels) => channels.insert(OWNER, { ...CHANGED, name: 'Second' }, 'secret'),
    updateUnscoped: (channels) => channels.updateUnscoped(CHANGED, { isWoken: false, isMoved: true }),
    signingSecretUnscoped: (channels) => channels.signingSecretUnscoped(CHANNEL),
    deleteUnscoped: (channels) => channels.deleteUnscoped(CHANNEL),
  }),
  callsOf(SubscriptionsRepository, {
    all: (subscriptions) => subscriptions.all(TENANT, CHANNEL),
    insert: (subscriptions) => subscriptions.insert(TENANT, CHANNEL, SUBSCRIPTION),
    delete: (subscriptions) => subscriptions.delete(TENANT, CHANNEL, ROW),
  }),
  callsOf(ChannelConfirmationsRepository, {
    confirmUnscoped: (confirmations) => confirmations.confirmUnscoped(HASH),
    voidLinksUnscoped: (confirmations) => confirmations.voidLinksUnscoped(CHANNEL),
  }),
];
