import { setTimeout as delay } from 'node:timers/promises';
import { eventually, openBrokerClient, type Login, type SeenNode, type TestCloud } from '@libs/testing';

const SAMPLE_MS = 200;
/** A client that has no answer in this time does not reach the broker. */
const PATIENCE_MS = 1_000;

/** What the API may claim after the truth has changed, with room for a busy machine. */
export const LONGEST_CLAIM_MS = 2_000 + 1_000;

/** At one moment: what the API says, and whether a new client is served. */
export interface Sample {
  at: number;
  /** Null: no API answered. */
  node: string | null;
  deployment: string | null;
  isReached: boolean;
}

export const isNotReached = (one: Sample): boolean => !one.isReached;
export const isNotRunning = (one: Sample): boolean => one.node !== 'running';
export const isUnanswered = (one: Sample): boolean => one.node === null;
export const isWell = (one: Sample | undefined): boolean =>
  one?.node === 'running' && one.deployment === 'initialized' && one.isReached;

export interface Figures {
  /** Milliseconds in which the node was `running` and no client was served. */
  running: number;
  /** Milliseconds in which the deployment was `initialized` and no client was served. */
  initialized: number;
  /** `performance.now()` of the first sample that showed the fault. */
  seenAt: number;
  /** `performance.now()` of the first sample in which all was well again. */
  backAt: number;
}

/** Samples of anything, five in a second. */
export class Samples<S extends { at: number }> {
  private samples: S[] = [];
  private sampling: Promise<void> = Promise.resolve();
  private isOver = true;

  constructor(private readonly take: () => Promise<Omit<S, 'at'>>) {}

  get all(): readonly S[] {
    return this.samples;
  }

  start(): void {
    this.samples = [];
    this.isOver = false;
    this.sampling = this.sampleOn();
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.sampling;
  }

  /** The longest time in milliseconds in which every sample is untrue. */
  longest(isUntrue: (one: S) => boolean): number {
    let [most, since] = [0, null as number | null];
    for (const one of this.samples) {
      since = isUntrue(one) ? (since ?? one.at) : null;
      if (since !== null) most = Math.max(most, one.at - since);
    }
    return Math.round(most);
  }

  private async sampleOn(): Promise<void> {
    while (!this.isOver) {
      const at = performance.now();
      this.samples.push({ ...(await this.take()), at } as S);
      await delay(Math.max(0, SAMPLE_MS - (performance.now() - at)));
    }
  }
}

/** Samples of the first node of a deployment. */
export class TruthSamples extends Samples<Sample> {
  private node: SeenNode | undefined;
  private login: Login | undefined;

  constructor(
    private readonly cloud: TestCloud,
    private readonly deploymentId: number,
  ) {
    super(() => this.look());
  }

  /** Resolves when all is well. */
  async begin(): Promise<void> {
    this.start();
    await eventually('all is well before the fault', () => isWell(this.all.at(-1)));
  }

  /** Waits until a sample shows the fault and a later one shows that it is over. */
  async around(fault: string, isSeen: (one: Sample) => boolean): Promise<Figures> {
    await eventually('a sample shows the fault', () => this.all.some(isSeen));
    const seenAt = this.all.find(isSeen)?.at ?? 0;
    const first = (): Sample | undefined => this.all.find((one) => one.at > seenAt && isWell(one));
    await eventually('all is well again', () => first() !== undefined);
    return { ...this.claims(fault), seenAt, backAt: first()?.at ?? 0 };
  }

  /** How long the API claimed more than was true. */
  claims(fault: string): Pick<Figures, 'running' | 'initialized'> {
    const figures = {
      running: this.longest((one) => one.node === 'running' && !one.isReached),
      initialized: this.longest((one) => one.deployment === 'initialized' && !one.isReached),
    };
    console.log(`${fault}: ${JSON.stringify(figures)} ms`);
    return figures;
  }

  private async look(): Promise<Omit<Sample, 'at'>> {
    // While no API answers, the last credentials and addresses are those of the node.
    const [seen, isReached] = await Promise.all([this.detail().catch(() => null), this.isReached()]);
    this.node = seen?.nodes[0] ?? this.node;
    this.login = (await this.credentials().catch(() => undefined)) ?? this.login;
    return { node: seen?.nodes[0]?.status ?? null, deployment: seen?.status ?? null, isReached };
  }

  private async detail(): Promise<{ status: string; nodes: SeenNode[] } | null> {
    const { status, body } = await this.cloud.runtime().get(`/deployments/${this.deploymentId}`);
    return status === 200 ? body : null;
  }

  private async credentials(): Promise<Login | undefined> {
    const { status, body } = await this.cloud.runtime().get(`/deployments/${this.deploymentId}/credentials`);
    return status === 200 ? body : undefined;
  }

  private async isReached(): Promise<boolean> {
    const { node, login } = this;
    return node !== undefined && login !== undefined && serves(node, login);
  }
}

/** Whether a new client of the node is served. */
export async function serves({ driver, endpoints }: SeenNode, login: Login): Promise<boolean> {
  if (endpoints.tcp === null) return false;
  const isOpen = openBrokerClient(driver, { endpoint: endpoints.tcp, login, over: 'tcp' }).then(
    (client) => client.close().then(() => true),
    () => false,
  );
  return Promise.race([isOpen, delay(PATIENCE_MS, false)]);
}
