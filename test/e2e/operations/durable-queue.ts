import type { TestDeployment } from '@libs/testing';
import mqtt from 'mqtt';

const TOPIC = 'orders/new';
const END = 'the end';
/** Published without waiting for the acknowledgement of the one before. */
const AT_ONCE = 50;

/**
 * What a deployment keeps for a subscriber who is away: messages in the order of their publishing, each acknowledged. That
 * is the data by which stories tell what a deployment holds.
 */
export class DurableQueue {
  constructor(
    private readonly deployment: TestDeployment,
    private readonly subscriber = 'story-subscriber',
  ) {}

  /** From now on the deployment keeps what is published. */
  async begin(): Promise<void> {
    const client = await this.session();
    await client.subscribeAsync(TOPIC, { qos: 1 });
    await client.endAsync();
  }

  /** Publishes `<name>-0` and so on; resolves when every one is acknowledged. */
  async publish(name: string, count: number): Promise<void> {
    const client = await this.deployment.letsIn();
    for (let first = 0; first < count; first += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, index) => `${name}-${first + index}`);
      await Promise.all(batch.map((text) => client.publishAsync(TOPIC, text, { qos: 1 })));
    }
    await client.endAsync();
  }

  /** Everything that is kept, taken out. */
  async drain(): Promise<string[]> {
    const closing = await this.deployment.letsIn();
    await closing.publishAsync(TOPIC, END, { qos: 1 });
    await closing.endAsync();
    const taken: string[] = [];
    const { host, login } = await this.address();
    const client = mqtt.connect(host, { ...login, clean: false, clientId: this.subscriber, reconnectPeriod: 0 });
    await new Promise<void>((resolve, reject) => {
      client.on('message', (_topic, body) => (String(body) === END ? resolve() : taken.push(String(body))));
      client.once('error', reject);
      client.once('close', () => reject(new Error('the broker hung up before everything was taken')));
    });
    client.removeAllListeners('close');
    await client.endAsync();
    return taken;
  }

  private async session(): Promise<mqtt.MqttClient> {
    await (await this.deployment.letsIn()).endAsync();
    const { host, login } = await this.address();
    return mqtt.connectAsync(host, { ...login, clean: false, clientId: this.subscriber, reconnectPeriod: 0 });
  }

  private async address() {
    const [node] = await this.deployment.nodes();
    return { host: `mqtt://${node?.endpoints.tcp}`, login: await this.deployment.login() };
  }
}

/** `<name>-0` and so on. */
export const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);
