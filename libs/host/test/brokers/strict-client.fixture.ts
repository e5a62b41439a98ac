import { connect, type Socket } from 'node:net';
import { generate, parser, type IConnectPacket, type Packet } from 'mqtt-packet';
import { PASSWORD } from './embedded.fixture.js';

/** Messages that are not acknowledged yet. */
const WINDOW = 20;
const RECONNECT_MS = 20;

export interface StrictOptions {
  port: number;
  clientId: string;
  /** Called with each packet after the CONNACK. */
  onPacket: (packet: Packet) => void;
  /** Called after each CONNACK, before anything else is sent. */
  onSession: () => void;
}

/** A client on a bare socket with a kept session. It sends in strict order, and connects again at once after each end. */
class StrictClient {
  private socket: Socket | null = null;
  private isStopped = false;

  constructor(private readonly options: StrictOptions) {
    this.open();
  }

  send(packet: Packet): void {
    this.socket?.write(generate(packet));
  }

  /** Ends the connection as a network does: what is on its way is lost. */
  cut(): void {
    this.socket?.resetAndDestroy();
  }

  stop(): void {
    this.isStopped = true;
    this.cut();
  }

  private open(): void {
    if (this.isStopped) return;
    const { port, clientId, onPacket, onSession } = this.options;
    const socket = connect(port, '127.0.0.1');
    const packets = parser();
    packets.on('packet', (packet: Packet) => {
      if (packet.cmd !== 'connack') return onPacket(packet);
      if (packet.returnCode !== 0) return void socket.destroy();
      this.socket = socket;
      onSession();
    });
    socket.on('data', (bytes) => packets.parse(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.socket === socket) this.socket = null;
      setTimeout(() => this.open(), RECONNECT_MS);
    });
    const signIn: IConnectPacket = {
      ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clientId, clean: false, keepalive: 60 },
      ...{ username: 'admin', password: Buffer.from(PASSWORD) },
    };
    socket.write(generate(signIn));
  }
}

interface Unsettled {
  messageId: number;
  number: number;
  /** The broker has the message, and waits for the PUBREL. */
  isReceived: boolean;
}

/** Publishes 0, 1, 2 … in order. After a reconnect it first repeats what is not acknowledged, in the order of the first time. */
export class StrictPublisher {
  acknowledged = 0;
  private next = 0;
  private messageId = 0;
  private readonly unsettled: Unsettled[] = [];
  private readonly client: StrictClient;

  constructor(
    port: number,
    clientId: string,
    private readonly topic: string,
    private readonly qos: 1 | 2,
    private readonly count: number,
  ) {
    this.client = new StrictClient({
      ...{ port, clientId },
      onSession: () => this.resume(),
      onPacket: (packet) => this.take(packet),
    });
  }

  cut = (): void => this.client.cut();
  stop = (): void => this.client.stop();

  private resume(): void {
    for (const one of this.unsettled) {
      if (one.isReceived) this.client.send({ cmd: 'pubrel', messageId: one.messageId, qos: 1 } as Packet);
      else this.publish(one, true);
    }
    this.fill();
  }

  private fill(): void {
    while (this.next < this.count && this.unsettled.length < WINDOW) {
      this.messageId = (this.messageId % 65_535) + 1;
      const one = { messageId: this.messageId, number: this.next, isReceived: false };
      this.next += 1;
      this.unsettled.push(one);
      this.publish(one, false);
    }
  }

  private publish({ messageId, number }: Unsettled, dup: boolean): void {
    const { topic, qos } = this;
    this.client.send({ cmd: 'publish', topic, qos, dup, retain: false, messageId, payload: String(number) });
  }

  private take(packet: Packet): void {
    const index = this.unsettled.findIndex(({ messageId }) => messageId === packet.messageId);
    const one = this.unsettled[index];
    if (!one) return;
    if (packet.cmd === 'pubrec') {
      one.isReceived = true;
      this.client.send({ cmd: 'pubrel', messageId: one.messageId, qos: 1 } as Packet);
    }
    if (packet.cmd !== 'puback' && packet.cmd !== 'pubcomp') return;
    this.unsettled.splice(index, 1);
    this.acknowledged += 1;
    this.fill();
  }
}

/** Reads a topic with a kept session, and acknowledges each message at once. */
export class StrictReader {
  /** In the order of their first arrival. */
  readonly numbers: number[] = [];
  doubled = 0;
  isSubscribed = false;
  private readonly seen = new Set<number>();
  /** Ids of QoS 2 whose PUBREL has not come: the broker sends such a message again, and it counts once. */
  private readonly held = new Set<number>();
  private readonly client: StrictClient;

  constructor(port: number, clientId: string, topic: string, qos: 1 | 2) {
    this.client = new StrictClient({
      ...{ port, clientId },
      onSession: () => {
        if (!this.isSubscribed) this.client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos }] });
      },
      onPacket: (packet) => this.take(packet),
    });
  }

  cut = (): void => this.client.cut();
  stop = (): void => this.client.stop();

  private take(packet: Packet): void {
    if (packet.cmd === 'suback') this.isSubscribed = true;
    const messageId = packet.messageId ?? 0;
    if (packet.cmd === 'pubrel') {
      this.held.delete(messageId);
      this.client.send({ cmd: 'pubcomp', messageId });
    }
    if (packet.cmd !== 'publish') return;
    const isRepeat = packet.qos === 2 && this.held.has(messageId);
    if (packet.qos === 2) this.held.add(messageId);
    if (!isRepeat) this.keep(Number(packet.payload.toString()));
    this.client.send({ cmd: packet.qos === 2 ? 'pubrec' : 'puback', messageId });
  }

  private keep(number: number): void {
    if (this.seen.has(number)) this.doubled += 1;
    else this.numbers.push(number);
    this.seen.add(number);
  }
}
