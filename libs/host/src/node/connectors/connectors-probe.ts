import { ConnectorsRuntime, type ConnectorsContact } from '../../connectors/connectors.runtime.js';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import type { NodeHome } from '../../control/node-home.js';
import type { NodeConnectors } from '@libs/domain';
import { HealthProbe } from '../broker/health-probe.js';

/** Finds out whether the connectors process of a node answers, and whether the node needs one. */
export class ConnectorsProbe {
  private readonly probe = new HealthProbe();

  constructor(
    private readonly runtime: ConnectorsRuntime,
    private readonly home: NodeHome,
    private readonly log: JsonLog,
  ) {}

  query(): Promise<ConnectorsContact | null> {
    return this.probe.query({
      contact: () => this.runtime.contact(this.home),
      end: async (error) => {
        this.log.warn('connectors do not respond, the agent stops them', { reason: reasonOf(error) });
        await this.runtime.kill(this.home);
      },
    });
  }

  /** The process also runs to clean up data of removed connectors at the broker. */
  async isNeeded(connectors: NodeConnectors): Promise<boolean> {
    if (connectors.want === 'stopped') return false;
    return connectors.instances.length > 0 || (await this.runtime.hasRemoved(this.home, connectors));
  }
}
