import type { ClientCredentials } from '../../control/broker-runtime.js';
import { secretEqual } from '../../control/secret-equal.js';

/** How often the node checks whether the previous password has ended, in milliseconds. */
const END_CHECK_MS = 250;

/** A sign-in that was accepted. */
export interface Login {
  username: string;
  password: string;
}

interface Held {
  password: string;
  close: () => void;
}

/**
 * The passwords that a node accepts from clients: the current one, and the one before a rotation until its end. The end is
 * judged at each sign-in, by the node's clock plus the last offset of the server. Connections that signed in with a password
 * are closed when it is no longer good.
 */
export class ClientLogins {
  private readonly held = new Set<Held>();
  private readonly onRotated = new Set<() => void>();
  private timer: NodeJS.Timeout | undefined;
  private serverOffsetMs = 0;

  constructor(private credentials: ClientCredentials) {}

  /** The newest credentials, for the connections that the node itself opens. */
  get current(): Login {
    const { username, password } = this.credentials;
    return { username, password };
  }

  /** All credentials that are good now, the newest first. */
  accepted(): Login[] {
    const { username, password, previous } = this.credentials;
    const isGood = previous !== null && (previous.valid_to === null || this.now() < Date.parse(previous.valid_to));
    return [
      this.current,
      ...(isGood && previous.password !== password ? [{ username, password: previous.password }] : []),
    ];
  }

  /** Null when the name or the password is wrong. Always compares all, so that each answer takes the same time. */
  verify(username: string | Buffer, password: string | Buffer): Login | null {
    const equal = this.accepted().filter((login) => {
      const isUser = secretEqual(username, login.username);
      const isPassword = secretEqual(password, login.password);
      return isUser && isPassword;
    });
    return equal[0] ?? null;
  }

  /** Calls `close` once when the password of this login is no longer good. Returns the function that forgets the login. */
  hold({ password }: Login, close: () => void): () => void {
    const login = { password, close };
    this.held.add(login);
    return () => void this.held.delete(login);
  }

  /** Calls `listener` at each change of the current password. */
  onRotation(listener: () => void): void {
    this.onRotated.add(listener);
  }

  /** Replaces the credentials. Closes connections whose password is no longer good before it returns. */
  set(credentials: ClientCredentials, serverOffsetMs: number): void {
    const isRotated = credentials.password !== this.credentials.password;
    this.credentials = credentials;
    this.serverOffsetMs = serverOffsetMs;
    this.closeEnded();
    clearInterval(this.timer);
    if (credentials.previous?.valid_to) this.timer = setInterval(() => this.closeEnded(), END_CHECK_MS).unref();
    if (isRotated) for (const listener of this.onRotated) listener();
  }

  private closeEnded(): void {
    const good = new Set(this.accepted().map(({ password }) => password));
    for (const login of this.held) {
      if (good.has(login.password)) continue;
      this.held.delete(login);
      login.close();
    }
  }

  private now(): number {
    return Date.now() + this.serverOffsetMs;
  }
}
