import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The objects of one bucket with the used part of the S3 interface. Refuses unsigned requests. */
export class FakeS3 {
  readonly objects = new Map<string, Buffer>();
  private readonly uploads = new Map<string, Map<number, Buffer>>();
  private readonly server: Server;
  private counted = 0;
  /** Number of next requests that get the answer 503. */
  failures = 0;

  private constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<FakeS3> {
    const fake = new FakeS3();
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Number of multipart uploads that were neither completed nor aborted. */
  get openUploads(): number {
    return this.uploads.size;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const url = new URL(request.url ?? '/', 'http://s3');
    const [, , ...rest] = url.pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    const isSigned =
      /^AWS4-HMAC-SHA256 /.test(request.headers.authorization ?? '') || url.searchParams.has('X-Amz-Signature');
    if (!isSigned) return void response.writeHead(403).end();
    if (this.failures > 0) {
      this.failures -= 1;
      return void response.writeHead(503).end();
    }
    const { method } = request;
    if (method === 'POST') return this.post(key, url, body, response);
    if (method === 'PUT') return this.put(key, url, body, response);
    if (method === 'GET') return url.searchParams.has('list-type') ? this.list(url, response) : this.get(key, response);
    if (method !== 'DELETE') return void response.writeHead(405).end();
    const upload = url.searchParams.get('uploadId');
    if (upload === null) this.objects.delete(key);
    else this.uploads.delete(upload);
    response.writeHead(204).end();
  }

  private post(key: string, url: URL, body: Buffer, response: ServerResponse): void {
    const upload = url.searchParams.get('uploadId');
    if (url.searchParams.has('delete')) {
      for (const [, name = ''] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) this.objects.delete(name);
      return xml(response, '<DeleteResult/>');
    }
    if (upload === null) {
      this.counted += 1;
      this.uploads.set(`u${this.counted}`, new Map());
      return xml(
        response,
        `<InitiateMultipartUploadResult><UploadId>u${this.counted}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const parts = [...(this.uploads.get(upload) ?? [])].sort(([a], [b]) => a - b);
    this.objects.set(key, Buffer.concat(parts.map(([, part]) => part)));
    this.uploads.delete(upload);
    xml(response, '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>');
  }

  private put(key: string, url: URL, body: Buffer, response: ServerResponse): void {
    const upload = url.searchParams.get('uploadId');
    if (upload === null) this.objects.set(key, body);
    else this.uploads.get(upload)?.set(Number(url.searchParams.get('partNumber')), body);
    response.writeHead(200, { etag: '"e"' }).end();
  }

  private get(key: string, response: ServerResponse): void {
    const object = this.objects.get(key);
    if (object) return void response.writeHead(200, { 'content-length': object.length }).end(object);
    response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error><Code>NoSuchKey</Code></Error>');
  }

  private list(url: URL, response: ServerResponse): void {
    const prefix = url.searchParams.get('prefix') ?? '';
    const most = Number(url.searchParams.get('max-keys') ?? 1000);
    const delimiter = url.searchParams.get('delimiter');
    const below = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    const endOf = (key: string): number => (delimiter ? key.indexOf(delimiter, prefix.length) : -1);
    const folders = new Set(below.filter((key) => endOf(key) >= 0).map((key) => key.slice(0, endOf(key) + 1)));
    const keys = below.filter((key) => endOf(key) < 0).slice(0, most);
    const contents = [
      ...keys.map((key) => `<Contents><Key>${key}</Key></Contents>`),
      ...[...folders].map((folder) => `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`),
    ].join('');
    xml(response, `<ListBucketResult>${contents}</ListBucketResult>`);
  }
}

function xml(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${text}`);
}

/** The complete body, without the frames of `aws-chunked`. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return /aws-chunked/.test(request.headers['content-encoding'] ?? '') ? unframed(body) : body;
}

function unframed(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const line = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.toString('latin1', at, line), 16);
    if (!length) break;
    parts.push(body.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
  return Buffer.concat(parts);
}
