import type { BrokerDriver } from '@libs/domain';
import type { BrokerRuntime } from '../control/broker-runtime.js';
import { EmbeddedRuntime } from './embedded/embedded.runtime.js';
import { IggyRuntime, type IggyPrograms } from './iggy/iggy.runtime.js';
import { NatsRuntime } from './nats/nats.runtime.js';

/** Programs on the machine that are not part of the agent, by absolute path. */
export interface BrokerBinaries {
  /** nats-server. */
  nats?: string;
  /** iggy-server. */
  iggy?: string;
  /** iggy-connectors. Its plugins are in the same folder. */
  iggy_connectors?: string;
  /** Folders of shared libraries that both programs of iggy need and the system lacks, in the form of LD_LIBRARY_PATH. */
  iggy_libraries?: string;
  /** Whether iggy may run with a release that Landlord has no proofs for. Absent: no. */
  iggy_unproven_releases?: boolean;
}

/** The runtime of a driver. */
export function brokerRuntimeOf(driver: BrokerDriver, binaries: BrokerBinaries = {}): BrokerRuntime {
  if (driver === 'embedded') return new EmbeddedRuntime();
  if (driver === 'nats') return new NatsRuntime(binaries.nats ?? null);
  return new IggyRuntime(iggyPrograms(binaries));
}

function iggyPrograms({
  iggy,
  iggy_libraries: libraries,
  iggy_unproven_releases: allows,
}: BrokerBinaries): IggyPrograms {
  return { server: iggy === undefined ? null : { path: iggy, libraries }, allowsUnproven: allows === true };
}
