export * from './channel-confirmations.repository.js';
export * from './channel-pace.repository.js';
export * from './channels.repository.js';
export * from './confirmed-address.js';
export * from './deliveries.repository.js';
export * from './event-outbox.repository.js';
export * from './lanes.repository.js';
export * from './subscriptions.repository.js';
