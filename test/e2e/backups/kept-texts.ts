import type { BrokerClient, TestDeployment } from '@libs/testing';

/** The texts of one topic that a deployment keeps. Tests compare these texts to check the data of a deployment. */
export class KeptTexts {
  constructor(
    private readonly deployment: TestDeployment,
    private readonly topic = 'orders',
  ) {}

  /** Writes `<name>-0` and so on; resolves when the broker has acknowledged all of them. */
  async write(name: string, count: number): Promise<void> {
    await this.add(...numbered(name, count));
  }

  async add(...texts: string[]): Promise<void> {
    await this.with((client) => client.write(this.topic, ...texts));
  }

  /** All texts, sorted. Waits some seconds until there are `count`. */
  async all(count: number): Promise<string[]> {
    return (await this.with((client) => client.readAll(this.topic, count))).sort();
  }

  private async with<T>(use: (client: BrokerClient) => Promise<T>): Promise<T> {
    const client = await this.deployment.admits();
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }
}

/** `<name>-0` and so on, sorted. */
export const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`).sort();
