import { createHmac } from 'node:crypto';
import type { NodeSpec } from '@libs/domain';
import type { NatsValues } from '@libs/broker-config';
import type { Login } from '../../gate/logins/client-logins.js';
import type { NodeHome } from '../../control/node-home.js';
import { NATS_FILES } from './nats-files.js';
import { MONITOR_USER, monitorPassword } from './nats-monitor.js';

/** The tag with the configuration hash of a running nats-server. The server reads it at its start and reports it in VARZ. */
const HASH_TAG = 'landlord-config:';
const MIB = 1024 * 1024;
const MEMORY_STORE_BYTES = 64 * MIB;
/** Limit of pending bytes per client. It exceeds the largest accepted packet. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
/** A port that the system assigns, on the loopback address. */
const PRIVATE = { host: '127.0.0.1', port: -1 };
/**
 * nats-server stores sessions and messages in the same subject space as the topics of clients. Without these permissions a
 * client that subscribes to `#` would see all of it, and a client that publishes to `$JS/API/…` could delete the store.
 * `$MQTT.sub.>` and `$MQTT.msgs.>` stay allowed, because a client's own QoS 1 messages use them. The gate hides them.
 */
const CLIENT_PERMISSIONS = {
  publish: { deny: ['$JS.>', '$MQTT.>', '$SYS.>'] },
  // A shared subscription would get nothing, so the client is told.
  subscribe: { deny: ['$JS.>', '$SYS.>', '$MQTT.sess.>', '$MQTT.rmsgs', '$MQTT.JSA.>', '$share.>'] },
};
/** Each further copy makes publishing slower. Three copies survive the loss of one. */
const MOST_REPLICAS = 3;
const ROUTE_USER = 'route';
/**
 * The user of clients without credentials. It may only use a listener that no node has, so all of them are refused. By default
 * nats-server (2.9) gives such clients all rights on a node with a system account.
 */
const NOBODY = {
  user: 'nobody',
  allowed_connection_types: ['LEAFNODE'],
  permissions: { publish: { deny: ['>'] }, subscribe: { deny: ['>'] } },
};
/** Monitoring connections of the gate and the agent, in addition to those of clients. */
const MONITORS = 4;

/**
 * The account of all clients at nats-server. The gate checks the credentials of a client and then uses this account. So new
 * credentials of clients change neither the server nor its configuration. The password is derived from the node's secret.
 */
export const clientAccount = ({ cluster, credentials, node_id }: NodeSpec): Login => ({
  username: credentials.username,
  password: createHmac('sha256', cluster.secret).update(`nats clients ${node_id}`).digest('hex'),
});

/** The configuration as an object, without the tag with its hash. */
export function natsConfig(home: NodeHome, spec: NodeSpec, values: NatsValues): Record<string, unknown> {
  const { username, password } = clientAccount(spec);
  const timeout = values['mqtt.connect_timeout'];
  return {
    ...PRIVATE,
    ports_file_dir: NATS_FILES.ports(home),
    pid_file: NATS_FILES.pid(home),
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
    // Every listener requires credentials, and there is no monitoring port (nats-monitor.ts). Clients stay in the global
    // account, because another account would not contain the stored data.
    accounts: { $SYS: { users: [{ user: MONITOR_USER, password: monitorPassword(spec) }] } },
    no_auth_user: NOBODY.user,
    jetstream: {
      store_dir: NATS_FILES.data(home),
      max_mem: MEMORY_STORE_BYTES,
      max_file: fileStoreBytes(spec, values),
      // The file is readable for its owner only. The processors of clouds have instructions for AES.
      ...(spec.broker.encryption && { cipher: 'aes', key: spec.broker.encryption.key }),
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

/** The whole storage of the node, or less when the configuration sets less. */
function fileStoreBytes({ broker }: NodeSpec, values: NatsValues): number {
  const setting = values['jetstream.max_file_store'];
  if (!broker.limits) return setting;
  const capacity = broker.limits.storage_mib * MIB;
  return 'jetstream.max_file_store' in broker.config.values ? Math.min(setting, capacity) : capacity;
}

/** nats reads JSON without the outer braces. */
export function natsConfigText(config: Record<string, unknown>, hash: string): string {
  const tagged = { ...config, server_tags: [`${HASH_TAG}${hash}`] };
  return Object.entries(tagged)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('');
}

/** The hash in the tags of a server. Empty when there is none. */
export function hashOfTags(tags: string[] | undefined): string {
  return tags?.find((tag) => tag.startsWith(HASH_TAG))?.slice(HASH_TAG.length) ?? '';
}

/**
 * Number of copies of every message and session. It is explicit, because nats-server would count the servers that it sees when
 * the first client connects. With one node late there would be two copies, and the loss of one would stop both.
 */
function replicasOf(size: number): Record<string, number> {
  const replicas = Math.min(size, MOST_REPLICAS);
  return size < 2 ? {} : { stream_replicas: replicas, consumer_replicas: replicas };
}

/** Every node has a route to every other node. Peers without the cluster's secret are refused. */
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
      // The private client port must not be advertised.
      no_advertise: true,
      authorization: { user: ROUTE_USER, password: secret, timeout: 5 },
      routes,
    },
  };
}
