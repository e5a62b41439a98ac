import type { WebSocket } from 'ws';
import { reasonOf } from '../../os/json-log.js';
import type { ClientOrigin } from '../clients/client-session.js';
import { MqttLink, type ArrivedMessage } from './mqtt-link.js';
import { readRequest, RequestRefusal, type PageRequest } from './page-requests.js';
import type { PageSources } from './page-sources.js';

/** Above this, messages are skipped. */
const SKIP_ABOVE_BYTES = 256 * 1024;
/** Above this, the connection ends at once. */
const MOST_BUFFERED_BYTES = 1024 * 1024;
/** A browser that reads nothing for this time is disconnected. */
const STUCK_MS = 10_000;
const MOST_MESSAGES_PER_SECOND = 100;
const MOST_SUBSCRIPTIONS = 20;
const TICK_MS = 1_000;
const TICKS_PER_PING = 30;
/** Codes of the WebSocket's end, for the page. */
const SESSION_ENDED = 4401;
const BROKER_CLOSED = 4503;

/**
 * Publishes and subscribes for one browser. The browser sends small JSON requests, and the node speaks MQTT. A browser that
 * reads too slowly gets fewer messages and the number of skipped ones, then it is disconnected.
 */
export class PageSocket {
  private readonly link: MqttLink;
  private readonly timer: NodeJS.Timeout;
  private readonly topics = new Set<string>();
  private sentThisSecond = 0;
  private skipped = 0;
  private reported = 0;
  private ticks = 0;
  private stuckSinceMs: number | null = null;
  private isAlive = true;

  constructor(
    private readonly socket: WebSocket,
    origin: ClientOrigin,
    private readonly sources: PageSources,
  ) {
    const stream = sources.enter(origin);
    const { logins, keepAliveSeconds } = sources;
    this.link = new MqttLink(stream, {
      ...{ credentials: logins.current, keepAliveSeconds },
      accepts: () => this.accepts(),
      onMessage: (message) => this.deliver(message),
    });
    stream.once('close', () => socket.close(BROKER_CLOSED, 'the broker closed the connection'));
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => (this.isAlive = true));
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) socket.terminate();
      else void this.handle(data.toString('utf8'));
    });
    socket.once('close', () => this.stop());
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
    void this.start();
  }

  /** Ends the connection because the session has ended. */
  end(): void {
    this.socket.close(SESSION_ENDED, 'the session has ended');
    this.stop();
  }

  private async start(): Promise<void> {
    try {
      await this.link.connect();
      this.send({ type: 'ready', client_id: this.link.clientId });
    } catch {
      this.socket.close(BROKER_CLOSED, 'the broker refused the connection');
    }
  }

  private stop(): void {
    clearInterval(this.timer);
    this.link.close();
  }

  private async handle(text: string): Promise<void> {
    let id = 0;
    try {
      const request = readRequest(text, this.sources.maxPacketBytes);
      id = request.id;
      await this.perform(request);
      this.send({ type: 'done', id });
    } catch (error) {
      const { code, detail } =
        error instanceof RequestRefusal
          ? error
          : { code: 'broker_refused', detail: `The broker did not accept this: ${reasonOf(error)}.` };
      this.send({ type: 'refused', id: error instanceof RequestRefusal ? error.id : id, code, detail });
    }
  }

  private async perform(request: PageRequest): Promise<void> {
    if (request.do === 'publish') return this.link.publish(request.message);
    const { id, topic } = request;
    if (request.do === 'unsubscribe') {
      this.topics.delete(topic);
      return this.link.unsubscribe(topic);
    }
    if (this.topics.size >= MOST_SUBSCRIPTIONS)
      throw new RequestRefusal(id, 'subscriptions_limit', `The page has at most ${MOST_SUBSCRIPTIONS} subscriptions.`);
    this.topics.add(topic);
    await this.link.subscribe(topic).catch((error: unknown) => {
      this.topics.delete(topic);
      throw error;
    });
  }

  /** False: skips the message. */
  private accepts(): boolean {
    const isAccepted = this.socket.bufferedAmount <= SKIP_ABOVE_BYTES && this.sentThisSecond < MOST_MESSAGES_PER_SECOND;
    if (!isAccepted) this.skipped += 1;
    return isAccepted;
  }

  private deliver(message: ArrivedMessage): void {
    this.sentThisSecond += 1;
    this.send({ type: 'message', at: new Date().toISOString(), ...message });
  }

  private tick(): void {
    this.sentThisSecond = 0;
    this.ticks += 1;
    if (this.isStuck()) return this.socket.terminate();
    if (this.skipped > this.reported && this.stuckSinceMs === null) {
      this.reported = this.skipped;
      this.send({ type: 'skipped', messages: this.skipped });
    }
    if (this.ticks % TICKS_PER_PING !== 0) return;
    if (!this.isAlive) return this.socket.terminate();
    this.isAlive = false;
    this.socket.ping();
  }

  private isStuck(): boolean {
    if (this.socket.bufferedAmount <= SKIP_ABOVE_BYTES) this.stuckSinceMs = null;
    else this.stuckSinceMs ??= Date.now();
    return this.stuckSinceMs !== null && Date.now() - this.stuckSinceMs >= STUCK_MS;
  }

  private send(message: object): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > MOST_BUFFERED_BYTES) return this.socket.terminate();
    this.socket.send(JSON.stringify(message));
  }
}
