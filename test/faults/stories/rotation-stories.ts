import { eventually, type Login, type SeededRandom, type TestCloud } from '@libs/testing';
import { signIn } from '../kept-message.js';
import { Unanswered, type PatientClient } from '../patient-client.js';
import type { Promised } from '../promised.js';

/** No overlap, or one that is longer than the rotation and the checks. */
const OVERLAPS_SECONDS = [0, 600];
const PATIENCE_MS = 60_000;

type Ended = (operation: number) => Promise<{ status: string; reason: string | null }>;

/** Rotations under faults: with an overlap, no node refuses the old or the new password; without one, the old one ends. */
export class RotationStories {
  constructor(
    private readonly cloud: TestCloud,
    private readonly runtime: PatientClient,
    private readonly ended: Ended,
    private readonly random: SeededRandom,
  ) {}

  async rotate(promised: Promised): Promise<void> {
    const { id } = promised;
    const overlap_seconds = this.random.pick(OVERLAPS_SECONDS);
    const before = await this.login(id);
    const answer = await this.runtime.post(`/deployments/${id}/credentials/rotate`, { overlap_seconds });
    if (answer.status !== 202) throw new Unanswered(`rotation: ${answer.status} ${JSON.stringify(answer.body)}`);
    promised.rotations += 1;
    const end = this.ended(answer.body.operation_id);
    // Without a rule, no node lets a client in.
    const isOpen = promised.hasMessage;
    if (isOpen && overlap_seconds > 0) await this.signInAllThrough(id, before, end);
    const { status, reason } = await end;
    if (status === 'failed') throw new Unanswered(`rotation of ${promised.name} failed: ${reason}`);
    if (!isOpen) return;
    await this.comesTo('accepted', id, await this.login(id));
    await this.comesTo(overlap_seconds > 0 ? 'accepted' : 'refused', id, before);
  }

  /** Faults close connections, but no broker may say that the password is wrong. */
  private async signInAllThrough(id: number, login: Login, end: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = end.finally(() => (isOver = true)).catch(() => undefined);
    while (!isOver) {
      if ((await signIn(this.cloud, id, login)) === 'refused')
        throw new Unanswered(`deployment ${id} refuses the old password within the overlap`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await over;
  }

  private async comesTo(expected: 'accepted' | 'refused', id: number, login: Login): Promise<void> {
    await eventually(
      `a sign-in at deployment ${id} is ${expected}`,
      async () => (await signIn(this.cloud, id, login)) === expected,
      PATIENCE_MS,
    );
  }

  private async login(id: number): Promise<Login> {
    const { username, password } = (await this.runtime.get(`/deployments/${id}/credentials`)).body;
    return { username, password };
  }
}
