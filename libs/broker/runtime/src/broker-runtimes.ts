import type { BrokerDriver } from '@libs/domain';
import { BrokerError } from './broker-error.js';
import type { BrokerRuntime } from './broker-runtime.js';
import { EmbeddedRuntime } from './embedded/embedded.runtime.js';

/** The runtime of a driver. Throws BrokerError for one that this agent does not carry. */
export function brokerRuntimeOf(driver: BrokerDriver): BrokerRuntime {
  if (driver === 'embedded') return new EmbeddedRuntime();
  throw new BrokerError(`this agent does not carry the broker driver ${driver}`);
}
