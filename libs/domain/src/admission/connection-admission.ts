import type { Socket } from 'node:net';
import { findVictim, oldestOfCaller, oldestSilent } from './find-victim.js';
import { KnownNetworks } from './known-networks.js';
import type { ConnectionLimits } from './listeners.js';
import { networkOf } from './network-of.js';
import { PROXY, proxyName, type CutReason, type Newcomer, type OnCut } from './newcomer.js';
import { Parties } from './parties.js';
import { UnreadVisits } from './unread-visits.js';
import { Visit, type Body } from './visit.js';
import { WaitingVisits } from './waiting-visits.js';

/** How often connections are compared with their time until sign-in, while there are any. */
const CHECK_MS = 500;
/** How far a limit may be exceeded until Node has read from the new connections. */
const EXCESS = 4;

/**
 * The connections of one listener. Those before sign-in have their own places, with a share for each network and a reserve for
 * networks whose callers have signed in. When there is no place, the oldest silent connection of the network with the most of them
 * gives way to the new one: a caller signs in within moments, and an attacker only holds. A refused request makes nobody known. Only
 * `know` does, which listeners call after authentication and the rate of the caller.
 */
export class ConnectionAdmission {
  private readonly unknown = new Parties<Visit>();
  private readonly known = new Parties<Visit>();
  private readonly waiting = new WaitingVisits();
  private readonly networks = new KnownNetworks();
  private readonly visits = new WeakMap<object, Visit>();
  private readonly unread = new UnreadVisits((visits) => this.trim(visits));
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly limits: ConnectionLimits,
    private readonly onCut: OnCut = () => undefined,
  ) {}

  get counts(): { unknown: number; known: number; waiting: number } {
    return { unknown: this.unknown.size, known: this.known.size, waiting: this.waiting.size };
  }

  /** Serves a new connection now or in its turn, or closes it and returns false. */
  admit(socket: Socket, { address, isProxy, serve }: Newcomer): boolean {
    const visit = new Visit(socket, isProxy ? proxyName(address) : networkOf(address), isProxy, serve);
    const reason = this.refusal(visit);
    if (reason !== null) {
      this.onCut(reason, visit.network);
      socket.destroy();
      return false;
    }
    this.visits.set(socket, visit);
    this.unread.add(visit);
    socket.once('close', () => this.forget(visit));
    // A timer only while there is something to compare, so that an idle process stays asleep.
    this.timer ??= setInterval(() => this.check(), CHECK_MS).unref();
    if (this.limits.waiting === 0 || this.unknown.size < this.roomFor(visit.network)) this.serve(visit);
    else this.wait(visit);
    return true;
  }

  /** `other` is a second object for an admitted connection, such as its socket of TLS. */
  join(other: object, socket: object): void {
    const visit = this.visits.get(socket);
    if (visit) this.visits.set(other, visit);
  }

  isOfProxy = (socket: object): boolean => this.visits.get(socket)?.isOfProxy ?? false;

  /** A proxy has named the client of the connection, or of its next request. Closes it when the network has no place. */
  locate(socket: object, address: string): void {
    const visit = this.visits.get(socket);
    if (!visit?.isOfProxy || visit.standing === 'waiting' || visit.socket.destroyed) return;
    this.leave(visit);
    visit.network = networkOf(address);
    const reason = this.hasShare(visit) ? this.roomRefusal(visit) : 'network';
    this.enter(visit);
    if (reason !== null) this.cut(visit, reason);
  }

  begin(socket: object, body: Body): void {
    this.visits.get(socket)?.beginRequest(body);
  }

  /** The answer is complete. The next request of a proxy may be of another client. */
  end(socket: object): void {
    const visit = this.visits.get(socket);
    if (!visit) return;
    visit.endRequest(Date.now());
    if (visit.isOfProxy && visit.standing !== 'waiting' && !visit.socket.destroyed) this.give(visit, proxyName(''));
  }

  /**
   * The caller of the connection has signed in, and is within its rate. `caller`: one name for each caller of the listener. False: the
   * caller has no place for this request, because all its connections are being answered.
   */
  know(socket: object, caller: string): boolean {
    const visit = this.visits.get(socket);
    if (!visit || visit.standing === 'waiting' || visit.socket.destroyed) return true;
    if (visit.standing === 'known' && visit.caller === caller) return true;
    if (this.known.sizeOf(caller) >= this.limits.ofCaller) {
      const oldest = oldestOfCaller(this.known.membersOf(caller), this.limits.cutsAnswers);
      if (oldest === null) return false;
      this.cut(oldest, 'caller');
    }
    this.networks.add(visit.network);
    this.give(visit, caller);
    return true;
  }

  isKnown = (socket: object): boolean => this.visits.get(socket)?.standing === 'known';

  /** Closes all connections that have not signed in. Node does not know those that wait or are in a handshake. */
  stop(): void {
    clearInterval(this.timer);
    const visits = [...this.waiting.all(), ...this.unknown.all()];
    for (const visit of visits) this.leave(visit);
    for (const { socket } of visits) socket.destroy();
  }

  private refusal(visit: Visit): CutReason | null {
    if (!this.hasShare(visit)) return 'network';
    const { unknown, known, waiting } = this.counts;
    if (unknown + known + waiting >= this.limits.places && !this.freePlace(visit.network)) return 'places';
    if (this.waiting.size < this.limits.waiting) return null;
    return this.roomRefusal(visit);
  }

  private roomRefusal({ network }: Visit): CutReason | null {
    const room = this.roomFor(network);
    if (this.unknown.size < room || this.makeRoom(network, 'unknown')) return null;
    return this.mayExceed(this.unknown.size, room) ? null : 'unknown';
  }

  /** A network with known callers may have an attacker, too: the reserve gives a caller more time to speak. */
  private shareOf(network: string): number {
    return this.limits.ofNetwork + (this.networks.has(network) ? this.limits.reserve : 0);
  }

  /** A limit may be exceeded until Node has read from the new connections: the one of a caller is among them. */
  private mayExceed(connections: number, limit: number): boolean {
    return this.unread.size > 0 && connections < limit * EXCESS;
  }

  /** Applies the limits to connections that Node has read from meanwhile. */
  private trim(visits: readonly Visit[]): void {
    for (const { network } of visits)
      if (!network.startsWith(PROXY) && this.unknown.sizeOf(network) > this.shareOf(network)) this.cutSilent(network);
    while (this.unknown.size > this.limits.unknown + this.limits.reserve && this.makeRoom('', 'unknown'));
  }

  private roomFor(network: string): number {
    return this.limits.unknown + (this.networks.has(network) ? this.limits.reserve : 0);
  }

  /** A proxy has no share of its own: each of its clients has one. */
  private hasShare({ network, isOfProxy }: Visit): boolean {
    if (isOfProxy && network.startsWith(PROXY)) return true;
    if (this.unknown.sizeOf(network) + this.waiting.sizeOf(network) < this.shareOf(network)) return true;
    return this.cutSilent(network) || this.mayExceed(this.unknown.sizeOf(network), this.shareOf(network));
  }

  /** Without connections before sign-in, the caller with the most connections gives up its oldest idle one. */
  private freePlace(network: string): boolean {
    if (this.makeRoom(network, 'places')) return true;
    const idle = findVictim(this.known, '', 0, () => false);
    return idle !== null && this.cut(idle, 'places');
  }

  /** Networks of known callers give way to one another only, and only after all others. */
  private makeRoom(network: string, reason: CutReason): boolean {
    const isKnown = (name: string): boolean => this.networks.has(name);
    const find = (isProtected: (name: string) => boolean): Visit | null =>
      findVictim(this.unknown, network, this.limits.handshakeMs, isProtected);
    const victim = find(isKnown) ?? (isKnown(network) ? find(() => false) : null);
    return victim !== null && this.cut(victim, reason);
  }

  private serve(visit: Visit): void {
    this.enter(visit);
    visit.serve();
  }

  private wait(visit: Visit): void {
    visit.standing = 'waiting';
    visit.sinceMs = Date.now();
    this.waiting.add(visit);
    if (this.makeRoom(visit.network, 'unknown')) this.serveNext();
  }

  private serveNext(): void {
    while (this.waiting.next !== null && this.unknown.size < this.roomFor(this.waiting.next)) {
      const visit = this.waiting.take();
      if (visit) this.serve(visit);
    }
  }

  private check(): void {
    if (this.unknown.size + this.waiting.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const before = Date.now() - this.limits.signInMs;
    const late = this.unknown.all().filter((visit) => visit.isLate(before));
    for (const visit of late) this.cut(visit, 'sign_in_time');
    while (this.waiting.next !== null && this.makeRoom(this.waiting.next, 'unknown')) this.serveNext();
  }

  private enter(visit: Visit): void {
    visit.standing = 'unknown';
    visit.sinceMs = Date.now();
    this.unknown.add(visit.network, visit);
  }

  /** Gives the connection to a caller, or to the proxy between two requests. */
  private give(visit: Visit, caller: string): void {
    this.leave(visit);
    visit.standing = 'known';
    visit.caller = caller;
    this.known.add(caller, visit);
    this.serveNext();
  }

  private leave(visit: Visit): void {
    if (visit.standing === 'unknown') this.unknown.remove(visit.network, visit);
    if (visit.standing === 'waiting') this.waiting.remove(visit);
    if (visit.standing === 'known') this.known.remove(visit.caller, visit);
    visit.standing = 'new';
  }

  private forget(visit: Visit): void {
    this.leave(visit);
    this.serveNext();
  }

  private cutSilent(network: string): boolean {
    const [nowMs, { handshakeMs }] = [Date.now(), this.limits];
    const victim =
      oldestSilent(this.unknown.membersOf(network), nowMs, handshakeMs) ??
      oldestSilent(this.waiting.membersOf(network), nowMs, handshakeMs);
    return victim !== null && this.cut(victim, 'network');
  }

  private cut(visit: Visit, reason: CutReason): true {
    this.onCut(reason, visit.standing === 'known' ? visit.caller : visit.network);
    this.leave(visit);
    visit.socket.destroy();
    return true;
  }
}
