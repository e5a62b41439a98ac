import type { BrokerBinaries, NodePlace } from '@libs/broker/runtime';
import type { Turn } from '../turn.js';
import type { DiagnosticsSources } from './diagnostics/diagnostics.js';
import type { ObjectClient } from './object-client.js';

/** What an order is carried out with. */
export interface OrderSetup {
  place: NodePlace;
  binaries: BrokerBinaries;
  /** Shared with whoever keeps the broker. */
  turn: Turn;
  objects: ObjectClient;
  /** The agent's, as of now. */
  authorization: () => string;
  /** What the node can tell about itself. */
  diagnostics: DiagnosticsSources;
}
