import type { MachineStatus } from '@libs/domain/machine-protocol';
import { Backoff } from '../../node/gateway/backoff.js';
import { Wakeup } from '../../os/wakeup.js';
import type { MachineClient } from './machine-client.js';
import type { MachineSession } from './machine-session.js';

const INTERVAL_MS = 15_000;
/** Changes within this time are sent in one status. */
const GATHER_MS = 50;

/** Posts the states of the nodes: every 15 s ± 20 %, and at once after a change. */
export class MachineStatusLoop {
  private readonly backoff = new Backoff();
  private readonly wakeup = new Wakeup();
  private readonly gather = new Wakeup();

  constructor(
    private readonly session: MachineSession,
    private readonly client: MachineClient,
    private readonly compose: () => MachineStatus,
    private readonly onAccepted: () => void,
  ) {}

  /** Makes the next status due after a change. */
  wakeUp(): void {
    this.wakeup.wakeUp();
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.client.status(this.compose(), this.session.authorization, signal);
        await this.session.confirm();
        this.onAccepted();
        this.backoff.reset();
        // Random, so that machines that started together do not report together.
        await this.wakeup.sleep(INTERVAL_MS * (0.8 + 0.4 * Math.random()), signal);
        await this.gather.sleep(GATHER_MS, signal);
      } catch (error) {
        await this.session.pause(error, this.backoff, signal);
      }
    }
  }
}
