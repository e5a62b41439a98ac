import { PageRefusal, sendJson } from '../../../../gate/http-answers.js';
import {
  BrowserPage,
  refuseMethod,
  type PageCall,
  type PageNode,
  type PageViews,
} from '../../../../gate/ui/browser-page.js';
import { loadPageFiles } from '../../../../gate/ui/page-files.js';
import { listQuery } from '../../../../gate/ui/page-lists.js';
import { IggyRefusal, type IggyAdmin } from '../../server/iggy-admin.js';
import { IggyLists, pathOf, type TopicPlace } from './iggy-lists.js';
import { readMessage } from './iggy-sending.js';

const STREAM = /^\/ui\/streams\/(\d{1,10})$/;
const TOPIC = /^\/ui\/streams\/(\d{1,10})\/topics\/(\d{1,10})$/;
const MESSAGES = /^\/ui\/streams\/(\d{1,10})\/topics\/(\d{1,10})\/messages$/;
/** Requests to the server at once. An answer with messages can have many MiB. */
const MOST_AT_ONCE = 4;

/** Returns the server as the user of the client, never as its root user. Null: no server serves clients. */
export type ServerOfClients = () => Promise<IggyAdmin | null>;

/** The page of a node with iggy. */
export const loadIggyPage = async (
  node: PageNode,
  server: ServerOfClients,
  mayStore: () => boolean,
): Promise<BrowserPage> => new BrowserPage(node, new IggyViews(server, mayStore), await loadPageFiles('iggy'));

/** Streams, topics and messages. The page sends messages too. */
class IggyViews implements PageViews {
  private running = 0;

  constructor(
    private readonly server: ServerOfClients,
    /** Whether clients may store something new. */
    private readonly mayStore: () => boolean,
  ) {}

  async answer(call: PageCall): Promise<void> {
    if (this.running >= MOST_AT_ONCE)
      throw new PageRefusal(503, 'too_many_requests', 'The page asks the broker for too much at once. Try again.');
    this.running += 1;
    try {
      await this.perform(call);
    } catch (error) {
      throw error instanceof PageRefusal ? error : refusalOf(error);
    } finally {
      this.running -= 1;
    }
  }

  private async perform({ request, response, path, method }: PageCall): Promise<void> {
    const place = placeIn(MESSAGES, path);
    if (place !== null && method === 'POST') {
      const message = await readMessage(request);
      if (!this.mayStore())
        throw new PageRefusal(507, 'disk_full', 'The disk of the node is full: the broker takes no new messages.');
      await (await this.required()).ask('POST', `${pathOf(place)}/messages`, message);
      response.writeHead(204).end();
      return;
    }
    const list = listAt(path, request.url ?? '');
    if (list === null) throw new PageRefusal(404, 'route_not_found', 'The node has no such address.');
    if (method !== 'GET') return refuseMethod(place === null ? 'GET, HEAD' : 'GET, HEAD, POST');
    sendJson(response, 200, await list(new IggyLists(await this.required())));
  }

  private async required(): Promise<IggyAdmin> {
    const server = await this.server();
    if (server === null) throw unavailable();
    return server;
  }
}

/** Null for an address that the page does not have. */
function listAt(path: string, url: string): ((lists: IggyLists) => Promise<object>) | null {
  if (path === '/ui/streams') return (lists) => lists.streams(listQuery(url));
  const [, stream] = STREAM.exec(path) ?? [];
  if (stream !== undefined) return (lists) => lists.topics(stream, listQuery(url));
  const topic = placeIn(TOPIC, path);
  if (topic !== null) return (lists) => lists.topic(topic, listQuery(url));
  const messages = placeIn(MESSAGES, path);
  return messages && ((lists) => lists.messages(messages, url));
}

function placeIn(pattern: RegExp, path: string): TopicPlace | null {
  const [, stream, topic] = pattern.exec(path) ?? [];
  return stream === undefined || topic === undefined ? null : { stream, topic };
}

function refusalOf(error: unknown): PageRefusal {
  if (!(error instanceof IggyRefusal)) return unavailable();
  if (error.status === 404)
    return new PageRefusal(404, 'not_found', 'The stream, the topic or the partition does not exist.');
  return new PageRefusal(502, 'broker_refused', `The broker did not accept this: ${error.message}.`);
}

const unavailable = (): PageRefusal =>
  new PageRefusal(503, 'broker_unavailable', 'The broker does not respond. Try again in a moment.');
