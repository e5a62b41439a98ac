import type { BrokerDriver } from '@libs/domain';
import { BrokerError } from './broker-error.js';
import type { BrokerRuntime } from './broker-runtime.js';
import { EmbeddedRuntime } from './embedded/embedded.runtime.js';
import { NatsRuntime } from './nats/nats.runtime.js';

/** Absolute paths of server binaries on the machine that are not part of the agent. */
export type BrokerBinaries = Partial<Record<BrokerDriver, string>>;

/** The runtime of a driver. Throws BrokerError for a driver that this agent does not include. */
export function brokerRuntimeOf(driver: BrokerDriver, binaries: BrokerBinaries = {}): BrokerRuntime {
  if (driver === 'embedded') return new EmbeddedRuntime();
  if (driver === 'nats') return new NatsRuntime(binaries.nats ?? null);
  throw new BrokerError(`this agent does not support the broker driver ${driver}`);
}
