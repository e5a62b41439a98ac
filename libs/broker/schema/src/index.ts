export * from './broker-schema.js';
export * from './broker-setting.js';
export * from './embedded-settings.js';
export * from './nats-settings.js';
export * from './setting-values.js';
export * from './validate-values.js';
