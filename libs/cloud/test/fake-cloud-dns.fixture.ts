import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleDocument } from '@libs/testing';

interface RecordSet {
  name: string;
  type: string;
  ttl: number;
  rrdatas: string[];
}

interface Change {
  additions?: RecordSet[];
  deletions?: RecordSet[];
}

const ZONE = /^\/dns\/v1\/projects\/[^/]+\/managedZones\/([^/]+)\//;

/**
 * A zone of Cloud DNS. Google's own description judges each request and each answer. A change is made as a whole or not at all: Google
 * refuses the removal of records that have other values now, and the addition of records that exist.
 */
export class FakeCloudDns {
  records: RecordSet[] = [];
  /** Requests and answers that Google's description refuses. */
  readonly faults: string[] = [];
  /** Runs once, before the next change. */
  beforeChange: (() => void) | null = null;
  /** The next answers, instead of those of the zone. */
  readonly refusals: { status: number; reason: string; message: string }[] = [];
  private readonly document = new GoogleDocument(new URL('../../testing/src/gcp/dns-v1.json', import.meta.url));

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FakeCloudDns> {
    const server = createServer();
    const fake = new FakeCloudDns(server);
    server.on('request', (asked: IncomingMessage, answer: ServerResponse) => void fake.serve(asked, answer));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(asked.url ?? '/', this.endpoint);
    const text = await textOf(asked);
    const body = text === '' ? undefined : (JSON.parse(text) as Change);
    const request = { httpMethod: asked.method ?? '', path: pathname.slice(1), query, body };
    const faults = this.document.faultsOf(request);
    this.faults.push(...faults);
    const { status, said } =
      faults.length > 0 ? refusal(400, 'invalid', faults.join()) : this.answerTo(pathname, query, body);
    const id = this.document.match(request)?.id ?? '';
    if (status === 200) this.faults.push(...this.document.faultsOfAnswer(id, said));
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  }

  private answerTo(path: string, query: URLSearchParams, body: Change | undefined) {
    const refused = this.refusals.shift();
    if (refused) return refusal(refused.status, refused.reason, refused.message);
    if (ZONE.exec(path)?.[1] !== 'names')
      return refusal(404, 'notFound', "The 'parameters.managedZone' resource was not found.");
    if (body) return this.change(body);
    const name = query.get('name');
    return {
      status: 200,
      said: { kind: 'dns#resourceRecordSetsListResponse', rrsets: this.records.filter((one) => one.name === name) },
    };
  }

  private change({ additions = [], deletions = [] }: Change) {
    this.beforeChange?.();
    this.beforeChange = null;
    const left = this.records.filter((one) => !deletions.some((other) => isEqual(one, other)));
    if (this.records.length - left.length !== deletions.length)
      return refusal(412, 'conditionNotMet', "Precondition not met for 'entity.change.deletions[0]'");
    if (additions.some((one) => left.some((other) => one.name === other.name && one.type === other.type)))
      return refusal(409, 'alreadyExists', "The resource 'entity.change.additions[0]' already exists");
    const after = [...left, ...additions];
    if (after.some((one) => one.type === 'CNAME' && after.some((other) => other !== one && other.name === one.name)))
      return refusal(400, 'cnameResourceRecordSetConflict', 'a CNAME record has no other records beside it');
    this.records = after;
    return { status: 200, said: { kind: 'dns#change', id: '1', status: 'pending', additions, deletions } };
  }
}

const refusal = (status: number, reason: string, message: string) => ({
  status,
  said: { error: { code: status, message, errors: [{ reason, message, domain: 'global' }] } },
});

const isEqual = (one: RecordSet, other: RecordSet): boolean =>
  one.name === other.name &&
  one.type === other.type &&
  one.ttl === other.ttl &&
  String(one.rrdatas) === String(other.rrdatas);

async function textOf(asked: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
