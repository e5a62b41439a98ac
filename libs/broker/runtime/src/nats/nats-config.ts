import type { NodeSpec } from '@libs/domain';
import type { NatsValues } from '@libs/broker/schema';
import type { NodePlace } from '../node-place.js';
import { NATS_FILES } from './nats-files.js';
import { MONITOR_USER, monitorPassword } from './nats-monitor.js';

/** The tag by which a running nats-server tells which configuration it has: read at its start, answered in VARZ. */
const HASH_TAG = 'landlord-config:';
const MIB = 1024 * 1024;
const MEMORY_STORE_BYTES = 64 * MIB;
/** Of everything that waits for one client; above any packet that is let in. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
/** A port that the system chooses, on an address that only this machine reaches. */
const PRIVATE = { host: '127.0.0.1', port: -1 };
/**
 * What nats-server keeps sessions and messages by lies in the same subjects as the topics of clients. Without this a
 * client that subscribes to `#` would see all of it, and one that publishes to `$JS/API/…` could delete the store.
 * `$MQTT.sub.>` and `$MQTT.msgs.>` stay open, for a client's own QoS 1 messages come that way; the gate hides them.
 */
const CLIENT_PERMISSIONS = {
  publish: { deny: ['$JS.>', '$MQTT.>', '$SYS.>'] },
  subscribe: { deny: ['$JS.>', '$SYS.>', '$MQTT.sess.>', '$MQTT.rmsgs', '$MQTT.JSA.>'] },
};
/** More copies cost every publish more, and three survive the loss of one. */
const MOST_REPLICAS = 3;
const ROUTE_USER = 'route';
/**
 * Who shows no credentials counts as this user, who may come by a listener that no node has: so nobody comes in. Left to itself
 * nats-server (2.9) gives a node that has a system account a user of all rights for those who show none.
 */
const NOBODY = {
  user: 'nobody',
  allowed_connection_types: ['LEAFNODE'],
  permissions: { publish: { deny: ['>'] }, subscribe: { deny: ['>'] } },
};
/** Connections of the gate and of the agent that ask for figures, beyond those of clients. */
const MONITORS = 4;

/** The configuration as an object, without the tag of its own hash. */
export function natsConfig(place: NodePlace, spec: NodeSpec, values: NatsValues): Record<string, unknown> {
  const { username, password } = spec.credentials;
  const timeout = values['mqtt.connect_timeout'];
  return {
    ...PRIVATE,
    ports_file_dir: NATS_FILES.ports(place),
    pid_file: NATS_FILES.pid(place),
    max_payload: values['mqtt.max_packet_size'],
    max_pending: MAX_PENDING_BYTES,
    max_connections: values['mqtt.max_connections'] + MONITORS,
    max_subscriptions: values['mqtt.max_subscriptions'],
    authorization: {
      users: [
        { user: username, password, permissions: CLIENT_PERMISSIONS },
        { ...NOBODY, password: monitorPassword(spec) },
      ],
      timeout,
    },
    // Every listener asks for credentials, and there is none for figures (nats-monitor.ts). Clients stay in the global account:
    // in another one they would not find what is stored.
    accounts: { $SYS: { users: [{ user: MONITOR_USER, password: monitorPassword(spec) }] } },
    no_auth_user: NOBODY.user,
    jetstream: {
      store_dir: NATS_FILES.data(place),
      max_mem: MEMORY_STORE_BYTES,
      max_file: fileStoreBytes(spec, values),
    },
    mqtt: {
      ...PRIVATE,
      ack_wait: `${values['mqtt.ack_wait']}s`,
      max_ack_pending: values['mqtt.max_ack_pending'],
      authorization: { timeout },
      ...replicasOf(spec.cluster.size),
    },
    ...clusterOf(spec),
  };
}

/** All of the node's storage, or less when the configuration says so. */
function fileStoreBytes({ broker }: NodeSpec, values: NatsValues): number {
  const asked = values['jetstream.max_file_store'];
  if (!broker.limits) return asked;
  const capacity = broker.limits.storage_mib * MIB;
  return 'jetstream.max_file_store' in broker.config.values ? Math.min(asked, capacity) : capacity;
}

/** nats reads JSON, without the outer braces. */
export function natsConfigText(config: Record<string, unknown>, hash: string): string {
  const tagged = { ...config, server_tags: [`${HASH_TAG}${hash}`] };
  return Object.entries(tagged)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');
}

/** The hash among the tags that a server answers; empty when it has none. */
export function hashOfTags(tags: string[] | undefined): string {
  return tags?.find((tag) => tag.startsWith(HASH_TAG))?.slice(HASH_TAG.length) ?? '';
}

/**
 * Copies of every message and session. Said and not left to nats-server, which counts the servers that it sees when the
 * first client comes: one node late, and there are two copies, of which the loss of one stops both.
 */
function replicasOf(size: number): Record<string, number> {
  const replicas = Math.min(size, MOST_REPLICAS);
  return size < 2 ? {} : { stream_replicas: replicas, consumer_replicas: replicas };
}

/** Every node has a route to every other; who does not know the cluster's secret is not let in. */
function clusterOf({ cluster, deployment_id, listen }: NodeSpec): Record<string, unknown> {
  if (cluster.size < 2 || listen.peer === null) return {};
  const secret = cluster.secret;
  const routes = (cluster.peers ?? []).map(
    ({ host, port }) => `nats-route://${ROUTE_USER}:${encodeURIComponent(secret)}@${host}:${port}`,
  );
  return {
    cluster: {
      name: `deployment-${deployment_id}`,
      host: listen.address,
      port: listen.peer,
      // The private port of a client is nobody else's business.
      no_advertise: true,
      authorization: { user: ROUTE_USER, password: secret, timeout: 5 },
      routes,
    },
  };
}
