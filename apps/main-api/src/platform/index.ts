export * from './changes-of.js';
export * from './page-url.js';
export * from './permission-tree.schema.js';
export * from './platform.module.js';
export * from './require-held.js';
export * from './scope-of.js';
export * from './structure-changes.js';
export * from './tenant-wide.js';
export { SchedulesModule } from './schedules.module.js';
