import type { Duplex } from 'node:stream';
import type { NodeId } from '@libs/domain';
import type { ClientList } from '../clients/client-list.js';
import type { ClientOrigin } from '../clients/client-session.js';
import type { TopicCounts } from '../clients/topic-counts.js';
import type { PageNames } from '../gate-config.js';
import type { ClientLogins } from '../logins/client-logins.js';
import type { RetainedSnapshot } from './retained-snapshot.js';

/** Keep-alive of the page's own connections, unless the broker accepts less. */
export const KEEP_ALIVE_SECONDS = 60;

/** The names on the page, and in the name of its cookie. */
export interface PageIdentity extends PageNames {
  node_id: NodeId;
}

/** The identity from a configuration file. A file of an earlier release has no names. */
export const pageIdentity = ({ node_id, page }: { node_id: NodeId; page?: PageNames }): PageIdentity => ({
  ...{ deployment_id: 0, node_name: '', driver: '' },
  ...page,
  node_id,
});

/** What the page of the broker shows and uses. */
export interface PageSources {
  identity: PageIdentity;
  logins: ClientLogins;
  clients: ClientList;
  topics: TopicCounts;
  /** Whether the counts cover the clients of this node, or of all nodes. */
  countedFor: 'node' | 'deployment';
  maxPacketBytes: number;
  /** Longest keep-alive that the broker accepts, in seconds. */
  keepAliveSeconds: number;
  /** Opens an MQTT connection to the broker. A connection with an origin is in the list of clients. */
  enter(origin: ClientOrigin | null): Duplex;
  /** Reads the retained messages from the store of this process. Absent: they are read over MQTT. */
  readRetained?(): Promise<RetainedSnapshot>;
}
