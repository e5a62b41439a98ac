import { eventually, type Login } from '@libs/testing';
import type { MqttClient } from 'mqtt';

const TOPIC = 'upgrade/counter';
const PUBLISH_EVERY_MS = 50;

/**
 * One MQTT client on each node. The clients publish numbers with QoS 1, one client after the other, and each client
 * receives all of them. No client reconnects, so every disconnection shows.
 */
export class MqttTraffic {
  private sent = 0;
  private readonly acknowledgements: Promise<unknown>[] = [];
  private readonly faults: string[] = [];
  private readonly received: Set<number>[];
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly clients: MqttClient[]) {
    this.received = clients.map(() => new Set());
    clients.forEach((client, index) => {
      for (const event of ['close', 'offline', 'disconnect', 'error'] as const)
        client.on(event, () => this.faults.push(`client ${index}: ${event}`));
      client.on('message', (_topic, body) => this.received[index]?.add(Number(body.toString())));
    });
    this.timer = setInterval(() => this.publish(), PUBLISH_EVERY_MS);
  }

  static async start(endpoints: string[], login: Login): Promise<MqttTraffic> {
    const clients = await Promise.all(endpoints.map((endpoint) => connectTo(endpoint, login)));
    await Promise.all(clients.map((client) => client.subscribeAsync(TOPIC, { qos: 1 })));
    return new MqttTraffic(clients);
  }

  /** Disconnections and errors of all clients so far. */
  get interruptions(): string[] {
    return [...this.faults];
  }

  /** Resolves when messages that are published from now on have arrived everywhere. */
  async flows(): Promise<void> {
    const goal = this.sent + 2 * this.clients.length;
    await eventually(
      () => `message ${goal} arrives everywhere; ${JSON.stringify(this.counts())}`,
      () => this.received.every((numbers) => numbers.has(goal)),
    );
  }

  /** Stops the publishing, and returns the numbers that are missing at each client. */
  async missing(): Promise<number[][]> {
    clearInterval(this.timer);
    await Promise.all(this.acknowledgements);
    const numbers = Array.from({ length: this.sent }, (_, index) => index + 1);
    const lost = () => this.received.map((own) => numbers.filter((number) => !own.has(number)));
    await eventually('all messages arrive', () => lost().every(({ length }) => length === 0)).catch(() => undefined);
    return lost();
  }

  get count(): number {
    return this.sent;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.clients.map((client) => client.endAsync(true)));
  }

  private counts() {
    const received = this.received.map(({ size }) => size);
    return { sent: this.sent, received, interruptions: this.faults };
  }

  private publish(): void {
    this.sent += 1;
    const client = this.clients[this.sent % this.clients.length];
    const published = client?.publishAsync(TOPIC, String(this.sent), { qos: 1 });
    this.acknowledgements.push(Promise.resolve(published).catch((error: unknown) => this.faults.push(String(error))));
  }
}

/** A client of the listener. The listener opens when the nodes have applied an access rule. */
export async function connectTo(endpoint: string, login: Login): Promise<MqttClient> {
  const { default: mqtt } = await import('mqtt');
  const options = { ...login, reconnectPeriod: 0, connectTimeout: 2_000 };
  return eventually(`${endpoint} accepts a client`, () =>
    mqtt.connectAsync(`mqtt://${endpoint}`, options, false).catch(() => null),
  );
}
