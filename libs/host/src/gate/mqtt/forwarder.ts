import type { Socket } from 'node:net';
import { Transform, type Duplex, type Readable } from 'node:stream';
import { BrokerConnections } from '../broker-connections.js';
import type { ClientList } from '../clients/client-list.js';
import type { ClientNotices } from '../clients/client-notices.js';
import type { ClientOrigin } from '../clients/client-session.js';
import type { GateUpstream } from '../gate-upstream.js';
import type { ClientLogins, Login } from '../logins/client-logins.js';
import { ConnectCheck } from '../logins/connect-check.js';
import { connackPacket } from '../logins/connect-packet.js';
import { MqttConnection, PacketTooLarge } from './mqtt-connection.js';
import { PacketMeter } from './packet-meter.js';
import type { PublishRate } from '../rate/publish-rate.js';
import { TopicFilter } from './topic-filter.js';
import { Traffic } from '../traffic.js';
import type { Visitor } from '../visitor.js';

/** Time for a client to read the last messages of a broker that has ended, in milliseconds. */
const LAST_WORDS_MS = 5_000;

/** Where clients sign in. */
export interface SignInDesk {
  logins: ClientLogins;
  /** The account of all clients at the broker. */
  account: Login;
}

/** Forwards accepted clients to the broker behind the gate, and counts traffic. */
export class Forwarder {
  private readonly brokers: BrokerConnections;

  constructor(
    upstream: GateUpstream,
    maxConnections: number,
    private readonly maxPacketBytes: number,
    /** Prefix of the broker's internal topics, which no client may see. Null for none. */
    private readonly hiddenTopics: string | null,
    private readonly traffic: Traffic,
    private readonly clients: ClientList,
    /** Null: no limit. */
    private readonly rate: PublishRate | null,
    /** Null: the broker itself checks the credentials. */
    private readonly desk: SignInDesk | null,
    private readonly notices: ClientNotices,
  ) {
    this.brokers = new BrokerConnections(() => upstream.find(), maxConnections);
  }

  /**
   * Serves one client. When either side ends, both are closed, so that a client of a dead broker reconnects. A connection of
   * the gate itself has no origin: it is not listed, and its traffic is not counted.
   */
  accept(transport: Duplex, origin: ClientOrigin | null, visitor: Visitor | null = null): void {
    const observer = origin && this.clients.add(origin, transport, visitor);
    const traffic = origin ? this.traffic : new Traffic();
    const client = new MqttConnection(transport, this.maxPacketBytes, traffic, observer, this.rate);
    client.on('error', (error) => {
      if (error instanceof PacketTooLarge)
        this.notices.packet('client closed: the packet is too large', { address: origin?.address ?? null });
      client.destroy();
    });
    const { desk } = this;
    if (desk === null) return this.open(client, client, traffic);
    // A client that has not signed in gets no connection to the broker: it could hold all of them.
    const check = this.checkOf(desk, client, () => this.open(client, check, traffic));
    client.pipe(check);
  }

  /** `packets`: those of the client that the broker gets. */
  private open(client: Duplex, packets: Readable, traffic: Traffic): void {
    this.brokers.open().then(
      (broker) => this.join({ client, packets, broker, traffic }),
      () => client.destroy(),
    );
  }

  private join({ client, packets, broker, traffic }: Joined): void {
    if (client.destroyed) return void broker.destroy();
    const [received, sent] = [new PacketMeter(Infinity), new PacketMeter(Infinity)];
    const answers = this.hiddenTopics === null ? broker : broker.pipe(filterOf(this.hiddenTopics));
    packets.on('data', (chunk: Buffer) => {
      received.accepts(chunk);
      traffic.messagesReceived += taken(received);
    });
    answers.on('data', (chunk: Buffer) => {
      sent.accepts(chunk);
      traffic.messagesSent += taken(sent);
    });
    client.once('close', () => broker.destroy());
    broker.once('close', () => part(client, broker));
    packets.pipe(broker);
    answers.pipe(client);
  }

  private checkOf({ logins, account }: SignInDesk, client: Duplex, onAccepted: () => void): ConnectCheck {
    return new ConnectCheck(logins, account, {
      accepted: (login) => {
        client.once(
          'close',
          logins.hold(login, () => client.destroy()),
        );
        onAccepted();
      },
      refused: (code) => (code === null ? client.destroy() : refuse(client, code)),
    });
  }
}

/** A client and its connection to the broker. */
interface Joined {
  client: Duplex;
  packets: Readable;
  broker: Socket;
  traffic: Traffic;
}

function filterOf(prefix: string): Transform {
  const filter = new TopicFilter(prefix);
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      for (const part of filter.pass(chunk)) this.push(part);
      callback();
    },
  });
}

/** The client can still read the reason of its refusal. */
function refuse(client: Duplex, code: number): void {
  const timer = setTimeout(() => client.destroy(), LAST_WORDS_MS);
  client.once('close', () => clearTimeout(timer));
  client.once('finish', () => client.destroy());
  client.end(connackPacket(code));
}

/** The broker closed its side. The client can still read its last packets, such as the reason of a refusal. */
function part(client: Duplex, broker: Socket): void {
  const timer = setTimeout(() => client.destroy(), LAST_WORDS_MS);
  client.once('close', () => clearTimeout(timer));
  client.once('finish', () => client.destroy());
  if (client.writableFinished) client.destroy();
  else if (!broker.readableEnded) client.end();
}

function taken(meter: PacketMeter): number {
  const { publishes } = meter;
  meter.publishes = 0;
  return publishes;
}
