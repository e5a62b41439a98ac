import type { BrokerBinaries } from '../../brokers/broker-runtimes.js';
import type { NodeHome } from '../../control/node-home.js';
import type { Mutex } from '../../os/mutex.js';
import type { DiagnosticsSources } from './diagnostics/diagnostics.js';
import type { ObjectClient } from './object-client.js';

/** The dependencies of orders. */
export interface OrderDependencies {
  home: NodeHome;
  binaries: BrokerBinaries;
  /** The mutex that the reconciler of the broker also uses. */
  turn: Mutex;
  objects: ObjectClient;
  /** The current authorization of the agent. */
  authorization: () => string;
  /** The sources of the node's diagnostics. */
  diagnostics: DiagnosticsSources;
}
