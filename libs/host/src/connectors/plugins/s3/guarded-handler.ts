import { Readable } from 'node:stream';
import { OutboundClient, type OutboundRequest } from '@libs/outbound';

/** The parts of a request of the SDK that this handler uses. */
interface SdkRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
}

const TIMEOUT_MS = 120_000;
/** The client makes these from the URL and the body. */
const OWN_HEADERS = ['host', 'content-length', 'expect'];

/** Sends the requests of the AWS SDK by the guarded client. It follows no redirects and uses no proxy of the environment. */
export class GuardedHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  private readonly client: OutboundClient;

  constructor(policy: { allowPrivate: boolean }) {
    this.client = new OutboundClient(policy);
  }

  async handle(request: SdkRequest) {
    const headers = Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()));
    const { body } = request;
    const {
      status,
      headers: answered,
      body: content,
    } = await this.client.send({
      url: urlOf(request),
      method: request.method as OutboundRequest['method'],
      headers: Object.fromEntries(headers),
      ...((typeof body === 'string' || body instanceof Uint8Array) && { body }),
      timeoutMs: TIMEOUT_MS,
    });
    return { response: { statusCode: status, headers: answered, body: Readable.from([content]) } };
  }

  /** The SDK calls these two to change options that this handler does not have. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): Record<string, never> {
    return {};
  }

  destroy(): void {
    void this.client.close();
  }
}

function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ''].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  const place = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
  return pairs.length === 0 ? place : `${place}?${pairs.join('&')}`;
}
