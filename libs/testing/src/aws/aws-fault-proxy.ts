import { createHash } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EndpointConnections } from './endpoint-connections.js';
import { withoutHidden } from './hidden-items.js';
import { inProtocolOf, refused, type Answer } from './refused-answer.js';
import { callOf, RecordedCalls } from './recorded-calls.js';

/** A call of AWS, as the proxy understands it. */
export interface AwsCall {
  action: string;
  parameters: URLSearchParams;
}

/** Moto creates these also in a dry run. */
const CREATED_IN_DRY_RUNS = new Set(['CreateSubnet', 'CreateVpc', 'CreateInternetGateway']);
/** The region in the signature of a call. */
const REGION = /Credential=[^/]+\/\d+\/([\w-]+)\//;
const MUTATES = /^(?!Describe|Get|List)/;
const CREATES = /^(Create|Run|Allocate)/;
/** Creations without a second call. Their stop halfway is an effect without a good answer. */
const IN_ONE_CALL = new Set(['AllocateAddress', 'CreateSnapshot']);
const IDS =
  /\b(?:vpc|subnet|i|vol|snap|sg|igw|rtb|eipalloc|pcx|vpce-svc)-[0-9a-f]{8,17}\b|arn:aws:elasticloadbalancing:[^<]+/g;

/**
 * Stands between a driver and Moto, and behaves as AWS does where Moto does not: idempotency tokens, throttling, lost answers, new
 * resources that are not visible yet. It only refuses, delays, hides or repeats; all states and ids come from Moto, except those of
 * the connections to endpoint services, which Moto does not have.
 */
export class AwsFaultProxy {
  /** All calls, in order. */
  readonly calls: AwsCall[] = [];
  /** The external id that each role requires. Null: every role accepts the ids of all tenants. */
  trusts: ReadonlyMap<string, string> | null = null;
  /** Whether the keys that roles gave are refused, as after the deletion of the roles. */
  refusesKeysOfRoles = false;
  /** Actions that no account allows. */
  readonly denied = new Set<string>();
  /** Regions that no account has enabled. */
  readonly closedRegions = new Set<string>();
  /** Successful calls that create, in order. */
  readonly creations: AwsCall[] = [];
  /** The number of all calls by action. */
  readonly counts = new Map<string, number>();
  readonly connections = new EndpointConnections();
  /** Work during which the answer to an action waits. */
  readonly delays = new Map<string, () => Promise<void>>();
  private readonly recorded = new RecordedCalls();
  /** Each answer by the token of its request. */
  private readonly tokens = new Map<string, { shape: string; answer: Promise<Answer> }>();
  private readonly spoilt = new Map<string, Answer>();
  private readonly hidden = new Set<string>();
  /** The code of the refusal of the next call, by action. */
  private readonly refusals = new Map<string, string>();
  private hides = false;
  private throttled = 0;
  private losesReply = false;
  /** How many changing calls succeed before the next one fails. Null: none fails. */
  private failsAfter: number | null = null;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async start(target: string): Promise<AwsFaultProxy> {
    const server = createServer();
    const proxy = new AwsFaultProxy(server, new URL(target));
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => void proxy.serve(asked, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next changing call has its effect, and its answer is lost. */
  loseNextReply(): void {
    this.losesReply = true;
  }

  /** The next calls are refused. */
  throttle(calls: number): void {
    this.throttled = calls;
  }

  /** The next call of this action is refused with the code of AWS, and has no effect. */
  refuseNext(action: string, code: string): void {
    this.refusals.set(action, code);
  }

  /** The next answer to the action is this one, which is not of AWS. The call has no effect. */
  spoil(action: string, body: string): void {
    this.spoilt.set(action, { status: 200, type: 'text/html', body });
  }

  /** The next creation ends after a part of it: this many changing calls succeed, and the one after them fails. */
  failHalfway(after = 1): void {
    this.failsAfter = after;
  }

  /** New resources are missing in the answers to reads until it is called again. */
  hideNew(isHidden: boolean): void {
    this.hides = isHidden;
    if (!isHidden) this.hidden.clear();
  }

  /** The resource is missing in the answers to reads, as after AWS has removed it. */
  hide(id: string): void {
    this.hidden.add(id);
  }

  async stop(): Promise<void> {
    this.recorded.write();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const call = callOf(body, asked.headers);
    this.calls.push(call);
    this.recorded.note(call.action, asked.headers);
    this.counts.set(call.action, (this.counts.get(call.action) ?? 0) + 1);
    const refusal = this.refusalOfAccount(call, asked) ?? this.refusal(call);
    const answer = refusal ? inProtocolOf(asked, refusal) : await this.answer(call, asked, body);
    await this.delays.get(call.action)?.();
    if (this.losesReply && MUTATES.test(call.action) && answer.status < 300) {
      this.losesReply = false;
      response.destroy();
      return;
    }
    const visibleBody = CREATES.test(call.action) ? answer.body : withoutHidden(answer.body, this.hidden);
    response.writeHead(answer.status, {
      'content-type': answer.type,
      'content-length': Buffer.byteLength(visibleBody),
    });
    response.end(visibleBody);
  }

  /** What the account of the caller does not allow. */
  private refusalOfAccount({ action, parameters }: AwsCall, { headers }: IncomingMessage): Answer | null {
    const spoilt = this.spoilt.get(action);
    this.spoilt.delete(action);
    if (spoilt) return spoilt;
    const region = REGION.exec(headers.authorization ?? '')?.[1] ?? '';
    if (action === 'AssumeRole') return this.refusalOfRole(parameters);
    if (this.closedRegions.has(region) || this.areEnded(headers))
      return refused(401, 'AuthFailure', 'AWS was not able to validate the keys');
    if (this.denied.has(action)) return refused(403, 'UnauthorizedOperation', 'You are not authorized.');
    if (CREATED_IN_DRY_RUNS.has(action) && parameters.get('DryRun') === 'true')
      return refused(412, 'DryRunOperation', 'Request would have succeeded, but DryRun flag is set.');
    return null;
  }

  private areEnded(headers: IncomingMessage['headers']): boolean {
    return this.refusesKeysOfRoles && headers['x-amz-security-token'] !== undefined;
  }

  private refusalOfRole(parameters: URLSearchParams): Answer | null {
    const id = parameters.get('ExternalId') ?? '';
    // Without a list, roles have the condition that byoc/setup gives: they refuse an id that no tenant has.
    if (this.trusts === null ? !id.startsWith('not-') : this.trusts.get(parameters.get('RoleArn') ?? '') === id)
      return null;
    const error = '<Error><Type>Sender</Type><Code>AccessDenied</Code><Message>no</Message></Error>';
    return { status: 403, type: 'text/xml', body: `<ErrorResponse>${error}<RequestId>r</RequestId></ErrorResponse>` };
  }

  private refusal({ action }: AwsCall): Answer | null {
    if (this.throttled > 0) {
      this.throttled -= 1;
      return refused(503, 'RequestLimitExceeded', 'Request limit exceeded.');
    }
    const code = this.refusals.get(action);
    if (code !== undefined) {
      this.refusals.delete(action);
      return refused(400, code, 'The call was refused.');
    }
    if (this.failsAfter === null || !MUTATES.test(action)) return null;
    if (this.failsAfter > 0 && !IN_ONE_CALL.has(action)) {
      this.failsAfter -= 1;
      return null;
    }
    if (IN_ONE_CALL.has(action)) return null;
    this.failsAfter = null;
    return refused(500, 'InternalError', 'An internal error has occurred');
  }

  private async answer(call: AwsCall, asked: IncomingMessage, body: string): Promise<Answer> {
    const answer = await this.once(call, asked, body);
    if (this.hides && CREATES.test(call.action)) for (const [id] of answer.body.matchAll(IDS)) this.hidden.add(id);
    if (this.failsAfter !== null && IN_ONE_CALL.has(call.action)) {
      this.failsAfter = null;
      return refused(500, 'InternalError', 'An internal error has occurred');
    }
    return answer;
  }

  /** The same token with the same parameters has the same answer, also for calls at the same time. */
  private async once(call: AwsCall, asked: IncomingMessage, body: string): Promise<Answer> {
    const invented = this.connections.answer(call.action, call.parameters);
    if (invented !== null) return { status: 200, type: 'text/xml', body: invented };
    const token = call.parameters.get('ClientToken');
    if (token === null) return this.effect(call, asked, body);
    const key = `${call.action} ${token}`;
    const shape = createHash('sha256').update(body).digest('hex');
    const firstCall = this.tokens.get(key) ?? { shape, answer: this.effect(call, asked, body) };
    this.tokens.set(key, firstCall);
    if (firstCall.shape === shape) return firstCall.answer;
    return refused(400, 'IdempotentParameterMismatch', 'The client token was used with other parameters.');
  }

  private async effect(call: AwsCall, asked: IncomingMessage, body: string): Promise<Answer> {
    const answer = await this.forward(asked, body);
    if (CREATES.test(call.action) && answer.status < 300) this.creations.push(call);
    return answer;
  }

  private forward(asked: IncomingMessage, body: string): Promise<Answer> {
    const headers = { ...asked.headers, host: this.target.host, 'content-length': String(Buffer.byteLength(body)) };
    const { hostname, port } = this.target;
    return new Promise((resolve, reject) => {
      const call = request({ hostname, port, method: asked.method, path: asked.url, headers }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            type: reply.headers['content-type'] ?? 'text/xml',
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      call.on('error', reject);
      call.end(body);
    });
  }
}
