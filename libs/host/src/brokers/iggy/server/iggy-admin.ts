import { request } from 'node:http';
import { BrokerError } from '../../../control/broker-error.js';
import type { Address } from '../../../gate/gate-upstream.js';
import type { Account } from '../gate/frame-filter.js';

const ANSWER_TIMEOUT_MS = 5_000;
const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;
const UNAUTHORIZED = 401;

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** An answer of the server. */
export interface AdminAnswer {
  status: number;
  body: Buffer;
}

/** The server answered with another status than 2xx. */
export class IggyRefusal extends BrokerError {
  constructor(
    readonly status: number,
    what: string,
    text: string,
  ) {
    super(`iggy-server refused ${what}: ${status} ${reasonIn(text)}`.trim());
  }
}

/** A personal access token, in place of a name and a password. */
export interface AccessToken {
  token: string;
}

/** The HTTP interface of one iggy-server for its own node, as the user with the given account. Signs in when needed. */
export class IggyAdmin {
  private token: string | null = null;

  constructor(
    readonly at: Address,
    private readonly account: Account | AccessToken,
  ) {}

  /** The same server, as another user. */
  as(account: Account): IggyAdmin {
    return new IggyAdmin(this.at, account);
  }

  /** Whether the server answers. Needs no account. */
  async ping(): Promise<boolean> {
    const answer = await send(this.at, 'GET', '/ping');
    return answer.status === 200 && answer.body.toString() === 'pong';
  }

  /** The parsed answer. Throws IggyRefusal for any status other than 2xx. */
  async ask<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const text = (await this.accepted(method, path, body)).toString();
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  /** Posts a question whose answer is a file. Throws IggyRefusal for any status other than 2xx. */
  download(path: string, body: unknown): Promise<Buffer> {
    return this.accepted('POST', path, body);
  }

  /** Signs in. Throws IggyRefusal when the account is wrong. */
  async signIn(): Promise<void> {
    const path = 'token' in this.account ? '/personal-access-tokens/login' : '/users/login';
    const answer = await send(this.at, 'POST', path, { body: this.account });
    const text = answer.body.toString();
    if (answer.status !== 200) throw new IggyRefusal(answer.status, 'the sign-in', text);
    this.token = (JSON.parse(text) as { access_token: { token: string } }).access_token.token;
  }

  private async accepted(method: Method, path: string, body: unknown): Promise<Buffer> {
    const answer = await this.authorized(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new IggyRefusal(answer.status, `${method} ${path}`, answer.body.toString());
  }

  private async authorized(method: Method, path: string, body: unknown): Promise<AdminAnswer> {
    if (this.token === null) await this.signIn();
    const first = await send(this.at, method, path, { body, token: this.token });
    if (first.status !== UNAUTHORIZED) return first;
    // The token has expired, or the server has restarted on the same port.
    await this.signIn();
    return send(this.at, method, path, { body, token: this.token });
  }
}

function send(
  { host, port }: Address,
  method: Method,
  path: string,
  { body, token = null }: { body?: unknown; token?: string | null } = {},
): Promise<AdminAnswer> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    connection: 'close',
    ...(payload !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    ...(token !== null && { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    const call = request({ host, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > ANSWER_LIMIT_BYTES) call.destroy(new BrokerError('the answer of iggy-server is too large'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
    });
    const timer = setTimeout(
      () => call.destroy(new BrokerError('iggy-server did not answer in time')),
      ANSWER_TIMEOUT_MS,
    );
    call.on('close', () => clearTimeout(timer));
    call.on('error', reject);
    call.end(payload);
  });
}

function reasonIn(text: string): string {
  try {
    const { reason } = JSON.parse(text) as { reason?: unknown };
    return typeof reason === 'string' ? reason : '';
  } catch {
    return text.slice(0, 200);
  }
}
