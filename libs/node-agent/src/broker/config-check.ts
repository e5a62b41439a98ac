import type { NodeSpec } from '@libs/domain';
import { reasonOf, type BrokerRuntime, type GateState, type JsonLog, type NodeHome } from '@libs/broker/runtime';

/** Stores the last refused configuration, so that the broker checks it only once. */
export class ConfigCheck {
  private refused: { hash: string; reason: string } | null = null;

  constructor(
    private readonly home: NodeHome,
    private readonly log: JsonLog,
    private readonly onRefusal: () => void,
  ) {}

  /** The reason why the configuration with this hash is refused. Null when it is accepted. */
  async refusalOf(runtime: BrokerRuntime, spec: NodeSpec, gate: GateState, hash: string): Promise<string | null> {
    if (this.refused?.hash === hash) return this.refused.reason;
    try {
      await runtime.check(this.home, spec, gate);
      return null;
    } catch (error) {
      this.refused = { hash, reason: reasonOf(error) };
      this.log.warn('broker refuses the new configuration and keeps the old one', { reason: this.refused.reason });
      this.onRefusal();
      return this.refused.reason;
    }
  }
}
