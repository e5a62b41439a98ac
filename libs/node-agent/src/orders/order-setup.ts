import type { BrokerBinaries, NodeHome } from '@libs/broker/runtime';
import type { Turn } from '../turn.js';
import type { DiagnosticsSources } from './diagnostics/diagnostics.js';
import type { ObjectClient } from './object-client.js';

/** The dependencies of orders. */
export interface OrderSetup {
  home: NodeHome;
  binaries: BrokerBinaries;
  /** The mutex that the keeper of the broker also uses. */
  turn: Turn;
  objects: ObjectClient;
  /** The current authorization of the agent. */
  authorization: () => string;
  /** The sources of the node's diagnostics. */
  diagnostics: DiagnosticsSources;
}
