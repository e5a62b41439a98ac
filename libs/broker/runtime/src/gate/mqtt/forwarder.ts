import type { Socket } from 'node:net';
import { Transform, type Duplex } from 'node:stream';
import { BrokerConnections } from '../broker-connections.js';
import type { ClientList } from '../clients/client-list.js';
import type { ClientOrigin } from '../clients/client-session.js';
import type { GateUpstream } from '../gate-upstream.js';
import type { ClientLogins, Login } from '../logins/client-logins.js';
import { ConnectCheck } from '../logins/connect-check.js';
import { connackPacket } from '../logins/connect-packet.js';
import { MqttConnection } from './mqtt-connection.js';
import { PacketMeter } from './packet-meter.js';
import type { PublishRate } from '../rate/publish-rate.js';
import { TopicFilter } from './topic-filter.js';
import { Traffic } from '../traffic.js';

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
  ) {
    this.brokers = new BrokerConnections(() => upstream.find(), maxConnections);
  }

  /**
   * Serves one client. When either side ends, both are closed, so that a client of a dead broker reconnects. A connection of
   * the gate itself has no origin: it is not listed, and its traffic is not counted.
   */
  accept(transport: Duplex, origin: ClientOrigin | null): void {
    const observer = origin && this.clients.add(origin, transport);
    const traffic = origin ? this.traffic : new Traffic();
    const client = new MqttConnection(transport, this.maxPacketBytes, traffic, observer, this.rate);
    client.on('error', () => client.destroy());
    this.brokers.open().then(
      (broker) => this.join(client, broker, traffic),
      () => client.destroy(),
    );
  }

  private join(client: Duplex, broker: Socket, traffic: Traffic): void {
    if (client.destroyed) return void broker.destroy();
    const [received, sent] = [new PacketMeter(Infinity), new PacketMeter(Infinity)];
    const answers = this.hiddenTopics === null ? broker : broker.pipe(filterOf(this.hiddenTopics));
    client.on('data', (chunk: Buffer) => {
      received.accepts(chunk);
      traffic.messagesReceived += taken(received);
    });
    answers.on('data', (chunk: Buffer) => {
      sent.accepts(chunk);
      traffic.messagesSent += taken(sent);
    });
    client.once('close', () => broker.destroy());
    broker.once('close', () => part(client, broker));
    (this.desk ? client.pipe(this.checkOf(this.desk, client, broker)) : client).pipe(broker);
    answers.pipe(client);
  }

  private checkOf({ logins, account }: SignInDesk, client: Duplex, broker: Socket): ConnectCheck {
    return new ConnectCheck(logins, account, {
      accepted: (login) =>
        void client.once(
          'close',
          logins.hold(login, () => client.destroy()),
        ),
      refused: (code) => {
        if (code === null) client.destroy();
        else client.write(connackPacket(code));
        broker.destroy();
      },
    });
  }
}

function filterOf(prefix: string): Transform {
  const filter = new TopicFilter(prefix);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const part of filter.pass(chunk)) this.push(part);
      done();
    },
  });
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
