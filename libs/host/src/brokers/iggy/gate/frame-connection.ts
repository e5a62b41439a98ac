import type { Duplex } from 'node:stream';
import type { ClientLogins, Login } from '../../../gate/logins/client-logins.js';
import type { LoginRefusals } from '../../../gate/logins/login-refusals.js';
import { PublishPace } from '../../../gate/rate/publish-pace.js';
import type { PublishRate } from '../../../gate/rate/publish-rate.js';
import type { Traffic } from '../../../gate/traffic.js';
import type { Visitor } from '../../../gate/visitor.js';
import { AnswerMeter } from './answer-meter.js';
import { FrameFilter, type Account, type FrameDesk } from './frame-filter.js';

/** What all connections of a gate share. */
export interface FrameService {
  logins: ClientLogins;
  refusals: LoginRefusals;
  /** The account at the server for a password of clients. */
  accountOf: (password: string) => Account;
  traffic: Traffic;
  /** Whether clients may store something new. */
  mayStore: () => boolean;
  /** Null: no limit. */
  rate: PublishRate | null;
}

/**
 * One client of the binary protocol, over TCP or WebSocket, joined with its connection to the server. When either side ends, both
 * end. Under a rate, messages wait here, and the client is not read while they wait.
 */
export class FrameConnection {
  private readonly filter: FrameFilter;
  private readonly pace: PublishPace | null;
  /** Forgets the login of this connection. */
  private release: () => void = () => undefined;
  /** Until the client has signed in. */
  private answers: AnswerMeter | null;
  /** The frame of the last sign-in. Only the answer of the server proves a token. */
  private signInFrame = 0;
  private isHolding = false;
  private hasEnded = false;

  constructor(
    private readonly client: Duplex,
    private readonly server: Duplex,
    /** Null: a client of the node itself. */
    private readonly address: string | null,
    private readonly service: FrameService,
    /** Null: a client of the node itself. */
    private readonly visitor: Visitor | null = null,
  ) {
    const desk: FrameDesk = {
      signIn: (username, password) => this.signIn(username, password),
      mayStore: service.mayStore,
      signInByToken: () => this.signInByToken(),
    };
    this.answers = visitor && new AnswerMeter((answer, isAccepted) => this.answered(answer, isAccepted));
    this.filter = new FrameFilter(desk, service.rate !== null);
    this.pace =
      service.rate &&
      new PublishPace(
        service.rate,
        (part) => this.send(part),
        () => this.drained(),
      );
    this.join();
  }

  private join(): void {
    const { client, server } = this;
    client.on('data', (chunk: Buffer) => this.receive(chunk));
    server.on('data', (chunk: Buffer) => {
      this.service.traffic.bytesSent += chunk.length;
      this.answers?.read(chunk);
    });
    server.on('drain', () => this.readOn());
    server.pipe(client);
    client.once('end', () => this.finish());
    client.once('close', () => this.end());
    server.once('close', () => client.destroy());
    for (const side of [client, server]) side.on('error', () => this.end());
  }

  private receive(chunk: Buffer): void {
    this.service.traffic.bytesReceived += chunk.length;
    try {
      const { bytes, runs } = this.filter.pass(chunk);
      if (bytes.length === 0) return;
      if (this.pace === null) return this.send(bytes);
      this.isHolding = true;
      this.client.pause();
      this.pace.take(bytes, runs);
    } catch {
      // The bytes are not frames: the client speaks another protocol, or another release of it.
      this.end();
    }
  }

  private send(bytes: Buffer): void {
    if (!this.server.write(bytes)) this.client.pause();
  }

  private drained(): void {
    this.isHolding = false;
    if (this.hasEnded) this.server.end();
    else this.readOn();
  }

  /** The client has sent its last frames. The server still gets those that wait for the rate. */
  private finish(): void {
    this.hasEnded = true;
    if (!this.isHolding) this.server.end();
  }

  private readOn(): void {
    if (!this.isHolding && !this.server.writableNeedDrain) this.client.resume();
  }

  private signIn(username: Buffer, password: Buffer): Account | null {
    this.signInFrame = this.filter.frames;
    const login = this.service.logins.verify(username, password);
    if (login === null) this.service.refusals.note(this.address);
    this.hold(login);
    return login && this.service.accountOf(login.password);
  }

  private signInByToken(): void {
    this.signInFrame = this.filter.frames;
    this.hold(this.service.logins.accepted().at(-1) ?? null);
  }

  private answered(answer: number, isAccepted: boolean): void {
    if (answer !== this.signInFrame || !isAccepted) return;
    this.answers = null;
    this.visitor?.signedIn();
  }

  /**
   * Ends the connection when the password of the login is no longer good. The user of an access token is unknown, so its connection
   * ends with the oldest password that is good now. A token of the newest user signs in again.
   */
  private hold(login: Login | null): void {
    this.release();
    this.release = login ? this.service.logins.hold(login, () => this.end()) : () => undefined;
  }

  private end(): void {
    this.release();
    this.pace?.close();
    this.client.destroy();
    this.server.destroy();
  }
}
