import type { NodeSpec } from '@libs/domain';
import { outageAtWork } from '@libs/domain/outages';
import { writeProblem } from '@libs/domain/starts';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import type { BrokerRuntime, GateState } from '../../control/broker-runtime.js';
import type { NodeHome } from '../../control/node-home.js';

/** Stores the last refused configuration, so that the broker checks it only once. */
export class ConfigCheck {
  private refused: { hash: string; reason: string } | null = null;

  constructor(
    private readonly home: NodeHome,
    private readonly log: JsonLog,
    private readonly onRefusal: () => void,
  ) {}

  /** Why the configuration with this hash cannot be applied: the broker refuses it, or the disk does not take it now. Null: it can. */
  async refusalOf(runtime: BrokerRuntime, spec: NodeSpec, gate: GateState, hash: string): Promise<string | null> {
    if (this.refused?.hash === hash) return this.refused.reason;
    // A broker that is stopped for a change starts only when its files can be written.
    const problem = await writeProblem(this.home.dir);
    if (problem !== null) return problem;
    try {
      await runtime.check(this.home, spec, gate);
      return null;
    } catch (error) {
      // Says nothing about the configuration.
      if (outageAtWork(error) !== null) return reasonOf(error);
      this.refused = { hash, reason: reasonOf(error) };
      this.log.warn('broker refuses the new configuration and keeps the old one', { reason: this.refused.reason });
      this.onRefusal();
      return this.refused.reason;
    }
  }
}
