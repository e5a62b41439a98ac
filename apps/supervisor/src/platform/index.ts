export * from './accepted-operation.view.js';
export * from './deployment-operations.js';
export * from './cloud-providers.js';
export * from './hold-deployment.js';
export * from './installation.js';
export * from './local-broker.js';
export * from './platform.module.js';
export * from './tenant-plans.js';
