import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleDocument, type GoogleRequest } from './google-document.js';

/** A service account that a customer has made. */
export interface FakeServiceAccount {
  description: string;
  /** Whether the operator may act as the account. */
  isTrusted: boolean;
  /** What the account may not do in its project. */
  lacks: readonly string[];
}

/** The token of the operator. */
export const OPERATOR_TOKEN = 'operator-token';
const TOKEN_SECONDS = 3600;
const SERVICE_ACCOUNT = /^v1\/projects\/-\/serviceAccounts\/([^/:]+)(:generateAccessToken)?$/;
const PERMISSIONS = /^v3\/projects\/([^/:]+):testIamPermissions$/;

/** Compute Engine judges its requests itself. */
const DOCUMENTS = ['iam-v1', 'iamcredentials-v1', 'cloudresourcemanager-v3'].map(
  (name) => new GoogleDocument(new URL(`./${name}.json`, import.meta.url)),
);

interface Answer {
  status: number;
  body: object;
}

/**
 * The hosts of Google at one address: the metadata server with the operator's own token, service accounts and their tokens, permissions in
 * projects, and Compute Engine, to which it passes every request on. Google's own descriptions judge each request and each answer.
 */
export class FakeGoogle {
  /** By e-mail address. */
  readonly accounts = new Map<string, FakeServiceAccount>();
  /** What the operator may not do in its own project. */
  lacking: readonly string[] = [];
  /** Why nobody may ask about permissions in a project, by its id. */
  readonly closed = new Map<string, { status: number; reason: string; message: string }>();
  /** The e-mail addresses that the operator asked tokens for, in order. */
  readonly asked: string[] = [];
  /** What Google's descriptions refuse. */
  private readonly faults: string[] = [];
  private turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly compute: URL,
  ) {}

  /** @param compute The address of the fake of Compute Engine */
  static async start(compute: string): Promise<FakeGoogle> {
    const server = createServer();
    const fake = new FakeGoogle(server, new URL(compute));
    server.on('request', (request: IncomingMessage, answer: ServerResponse) => void fake.serve(request, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings with which the library of Google finds the operator's own access here. */
  get environment(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return { GCE_METADATA_HOST: `127.0.0.1:${port}`, METADATA_SERVER_DETECTION: 'assume-present' };
  }

  /** The e-mail address whose token it is. Null: the operator's own. Undefined: nobody's. */
  ownerOf(token: string | null): string | null | undefined {
    if (token === OPERATOR_TOKEN) return null;
    const [email = ''] = (token ?? '').split('#');
    return this.accounts.has(email) ? email : undefined;
  }

  /** Fails when a request or an answer broke Google's descriptions. */
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    if (this.faults.length > 0) throw new TypeError(`Google's descriptions refuse: ${this.faults.join('; ')}`);
  }

  private async serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', this.endpoint);
    if (pathname.startsWith('/compute/')) return this.pass(request, answer);
    const text = await textOf(request);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const { status, body: said } = pathname.startsWith('/computeMetadata/')
      ? ok({ access_token: OPERATOR_TOKEN, expires_in: TOKEN_SECONDS, token_type: 'Bearer' })
      : this.judged({ httpMethod: request.method ?? '', path: pathname.slice(1), query, body }, tokenOf(request));
    answer.writeHead(status, { 'content-type': 'application/json', 'metadata-flavor': 'Google' });
    answer.end(JSON.stringify(said));
  }

  private judged(request: GoogleRequest, token: string | null): Answer {
    const document = DOCUMENTS.find((one) => one.match(request) !== null);
    const faults = document?.faultsOf(request) ?? [`no method ${request.httpMethod} ${request.path}`];
    this.faults.push(...faults);
    if (faults.length > 0) return refused(400, 'INVALID_ARGUMENT', faults.join('; '));
    const answer = this.answerTo(request.path, token, request.body);
    const id = document?.match(request)?.id ?? '';
    if (answer.status === 200) this.faults.push(...(document?.faultsOfAnswer(id, answer.body) ?? []));
    return answer;
  }

  private answerTo(path: string, token: string | null, body: unknown): Answer {
    const [, email, verb] = SERVICE_ACCOUNT.exec(path) ?? [];
    if (email !== undefined) return this.aboutAccount(decodeURIComponent(email), verb !== undefined, token);
    const [, project] = PERMISSIONS.exec(path) ?? [];
    const closed = this.closed.get(project ?? '');
    if (closed) return refused(closed.status, closed.reason, closed.message);
    if (project !== undefined) return this.permissions(token, body as { permissions: string[] });
    return refused(404, 'NOT_FOUND', `no method ${path}`);
  }

  private aboutAccount(email: string, isForToken: boolean, token: string | null): Answer {
    const account = this.accounts.get(email);
    if (token !== OPERATOR_TOKEN) return refused(401, 'UNAUTHENTICATED', 'Request had invalid credentials.');
    if (!account) return refused(404, 'NOT_FOUND', `Unknown service account ${email}`);
    if (!account.isTrusted)
      return refused(403, 'PERMISSION_DENIED', `Permission 'iam.serviceAccounts.getAccessToken' denied on ${email}`);
    if (!isForToken) return ok({ email, description: account.description });
    this.asked.push(email);
    this.turn += 1;
    const expireTime = new Date(Date.now() + TOKEN_SECONDS * 1000).toISOString();
    return ok({ accessToken: `${email}#${this.turn}`, expireTime });
  }

  private permissions(token: string | null, { permissions }: { permissions: string[] }): Answer {
    const owner = this.ownerOf(token);
    if (owner === undefined) return refused(401, 'UNAUTHENTICATED', 'Request had invalid credentials.');
    const lacks = owner === null ? this.lacking : (this.accounts.get(owner)?.lacks ?? []);
    return ok({ permissions: permissions.filter((one) => !lacks.includes(one)) });
  }

  /** A cut connection of the other side cuts this one. */
  private pass(request: IncomingMessage, answer: ServerResponse): void {
    const { hostname, port } = this.compute;
    const { method, url: path, headers } = request;
    const passed = send({ hostname, port, method, path, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
      from.on('error', () => answer.destroy());
    });
    passed.on('error', () => answer.destroy());
    request.pipe(passed);
  }
}

const ok = (body: object): Answer => ({ status: 200, body });

const refused = (code: number, status: string, message: string): Answer => ({
  status: code,
  body: { error: { code, status, message } },
});

const tokenOf = ({ headers }: IncomingMessage): string | null => headers.authorization?.replace(/^Bearer /, '') ?? null;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
