export * from './channels.repository.js';
export * from './deliveries.repository.js';
export * from './event-outbox.repository.js';
export * from './lanes.repository.js';
export * from './subscriptions.repository.js';
