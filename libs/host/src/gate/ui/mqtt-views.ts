import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { ipv4Of } from '../access-rules.js';
import { PageRefusal, sendJson } from '../http-answers.js';
import { BrowserPage, isSecure, refuseMethod, type PageCall, type PageViews } from './browser-page.js';
import { loadPageFiles } from './page-files.js';
import { listQuery, PageLists } from './page-lists.js';
import { PageSocket } from './page-socket.js';
import type { PageSources } from './page-sources.js';
import type { PageSession } from './sessions/page-sessions.js';

const CLIENTS_PATH = '/ui/clients/';
/** Limit of one WebSocket message: a payload of 64 KiB, escaped as JSON. */
const MESSAGE_BYTES = 512 * 1024;
const MOST_SOCKETS = 32;

/** The page of a broker with MQTT. */
export async function loadMqttPage(sources: PageSources): Promise<BrowserPage> {
  const { identity, logins, clients } = sources;
  return new BrowserPage(
    { identity, logins, refusals: clients.refusals },
    new MqttViews(sources),
    await loadPageFiles('mqtt'),
  );
}

/** Topics, retained messages and clients, and a WebSocket that publishes and subscribes. */
class MqttViews implements PageViews {
  private readonly lists: PageLists;
  private readonly upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  private openSockets = 0;

  constructor(private readonly sources: PageSources) {
    this.lists = new PageLists(sources);
  }

  async answer(call: PageCall): Promise<void> {
    const { request, response, path, method } = call;
    if (path.startsWith(CLIENTS_PATH)) return this.disconnect(call);
    sendJson(response, 200, await this.list(path, request.url ?? '', method));
  }

  open(request: IncomingMessage, socket: Socket, head: Buffer, session: PageSession): void {
    if (this.openSockets >= MOST_SOCKETS)
      throw new PageRefusal(503, 'sockets_limit', `The node serves at most ${MOST_SOCKETS} open pages.`);
    const origin = { address: ipv4Of(socket.remoteAddress), protocol: 'browser', tls: isSecure(request) } as const;
    this.upgrades.handleUpgrade(request, socket, head, (client) => {
      const page = new PageSocket(client, origin, this.sources);
      const end = (): void => page.end();
      this.openSockets += 1;
      session.onEnd.add(end);
      client.once('close', () => {
        this.openSockets -= 1;
        session.onEnd.delete(end);
      });
    });
  }

  close(): void {
    this.upgrades.close();
  }

  private disconnect({ response, path, method }: PageCall): void {
    if (method !== 'DELETE') return refuseMethod('DELETE');
    if (!this.sources.clients.disconnect(path.slice(CLIENTS_PATH.length)))
      throw new PageRefusal(404, 'client_not_found', 'The client is no longer connected to this node.');
    response.writeHead(204).end();
  }

  private async list(path: string, url: string, method: string | undefined): Promise<object> {
    if (!['/ui/topics', '/ui/retained', '/ui/clients'].includes(path))
      throw new PageRefusal(404, 'route_not_found', 'The node has no such address.');
    if (method !== 'GET') return refuseMethod('GET, HEAD');
    const query = listQuery(url);
    if (path === '/ui/topics') return this.lists.topics(query);
    return path === '/ui/retained' ? this.lists.retained(query) : this.lists.clients(query);
  }
}
