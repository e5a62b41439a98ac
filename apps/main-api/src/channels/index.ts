export { ChannelsModule } from './channels.module.js';
export { WEBHOOKS } from './webhook-description.js';
export { ChannelsWorkModule } from './channels-work.module.js';
