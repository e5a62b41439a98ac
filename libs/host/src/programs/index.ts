/** The brokers and plugins that this machine can run. */
export { loadablePlugins } from '../connectors/iggy/plugin-libraries.js';
export type { BrokerBinaries } from '../brokers/broker-runtimes.js';
export * from './broker-programs.js';
export * from './find-programs.js';
