export { ChannelsModule } from './channels.module.js';
export { ChannelsWorkModule } from './channels-work.module.js';
