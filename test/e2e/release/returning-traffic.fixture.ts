import { eventually, type Login } from '@libs/testing';
import type { MqttClient } from 'mqtt';
import { connectTo } from '../launcher/mqtt-traffic.fixture.js';

const TOPIC = 'upgrade/returning';
const PUBLISH_EVERY_MS = 100;
const RECONNECT_MS = 200;

/** A publisher and a subscriber that come back after a disconnection, with sessions that the broker keeps. */
export class ReturningTraffic {
  private sent = 0;
  private readonly acknowledged = new Set<number>();
  private readonly received = new Set<number>();
  private readonly timer: NodeJS.Timeout;
  /** When the publisher lost its connection, and when it was back, of this process's clock. */
  private lostAtMs = Number.NaN;
  private backAtMs = Number.NaN;

  private constructor(
    private readonly publisher: MqttClient,
    private readonly subscriber: MqttClient,
  ) {
    subscriber.on('message', (_topic, body) => this.received.add(Number(body.toString())));
    publisher.on('close', () => {
      if (Number.isNaN(this.lostAtMs)) this.lostAtMs = performance.now();
    });
    // The event `connect` comes only after all stored messages were sent again and acknowledged.
    publisher.on('packetreceive', ({ cmd }) => {
      if (cmd === 'connack') this.backAtMs = performance.now();
    });
    this.timer = setInterval(() => this.publish(), PUBLISH_EVERY_MS);
  }

  static async start(endpoint: string, login: Login): Promise<ReturningTraffic> {
    await (await connectTo(endpoint, login)).endAsync();
    const { default: mqtt } = await import('mqtt');
    const connect = (clientId: string): Promise<MqttClient> =>
      mqtt.connectAsync(`mqtt://${endpoint}`, { ...login, clientId, clean: false, reconnectPeriod: RECONNECT_MS });
    const [publisher, subscriber] = await Promise.all([connect('publisher'), connect('subscriber')]);
    for (const client of [publisher, subscriber]) client.on('error', () => undefined);
    await subscriber.subscribeAsync(TOPIC, { qos: 1 });
    return new ReturningTraffic(publisher, subscriber);
  }

  /** Resolves when a message that is published from now on was acknowledged and received. */
  async flows(): Promise<void> {
    const goal = this.sent + 1;
    await eventually(
      () => `message ${goal} arrives; ${JSON.stringify([this.sent, this.acknowledged.size, this.received.size])}`,
      () => this.acknowledged.has(goal) && this.received.has(goal),
    );
  }

  /** The time without a connection, in milliseconds. */
  get absenceMs(): number {
    return this.backAtMs - this.lostAtMs;
  }

  /** Stops the publishing. Returns the acknowledged numbers that the subscriber has not received. */
  async lost(): Promise<number[]> {
    clearInterval(this.timer);
    const lost = (): number[] => [...this.acknowledged].filter((number) => !this.received.has(number));
    await eventually('all acknowledged messages arrive', () => lost().length === 0).catch(() => undefined);
    return lost();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([this.publisher.endAsync(true), this.subscriber.endAsync(true)]);
  }

  private publish(): void {
    this.sent += 1;
    const number = this.sent;
    // A message that is never acknowledged is not lost: the end of the client ends it.
    this.publisher.publishAsync(TOPIC, String(number), { qos: 1 }).then(
      () => this.acknowledged.add(number),
      () => undefined,
    );
  }
}
