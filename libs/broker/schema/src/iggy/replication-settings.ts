import type { BrokerSettings } from '../broker-setting.js';
import { admin, count, duration, plane, size, text, toggle } from '../setting-kinds.js';

const SOME = { min: '1 ns' };
const secret = (description: string) => plane(text('', description, undefined, { secret: true }));

/** Consensus of the nodes of a cluster. */
export const IGGY_CLUSTER: BrokerSettings = {
  'cluster.enabled': plane(toggle(false, 'Whether the node is one of a cluster.')),
  'cluster.name': plane(text('iggy-cluster', 'Name that the data of a node is bound to for ever.')),
  'cluster.heartbeat_timeout': admin(duration('5s', 'Silence after which a leader counts as lost.', { min: '2 s' })),
  'cluster.commit_broadcast_interval': admin(duration('500ms', 'How often the leader tells what is committed.', SOME)),
  'cluster.prepare_retransmit_interval': admin(duration('250ms', 'When an unanswered proposal is sent again.', SOME)),
  'cluster.view_change_retransmit_interval': admin(duration('500ms', 'When an unanswered vote is sent again.', SOME)),
  'cluster.view_change_status_timeout': admin(duration('5s', 'Time that a vote for a leader may take.', SOME)),
  'cluster.request_start_view_retransmit_interval': admin(
    duration('1s', 'When a returning node asks again who leads.', SOME),
  ),
  'cluster.view_probe_attempts_max': admin(
    count(5, 'How often a returning node asks before it votes.', {
      ...{ min: 1, max: 100 },
    }),
  ),
  'cluster.repair_retry_interval': admin(duration('1s', 'When a node asks again for what it missed.', SOME)),
  'cluster.repair_gap_debounce_interval': admin(
    duration('1s', 'How long a gap is waited out before it is asked for.', SOME),
  ),
  'cluster.repair_chunk_max': admin(
    count(128, 'Operations that one answer to such a question holds.', {
      ...{ min: 1, max: 1_024 },
    }),
  ),
  'cluster.superblock_wedged_fatal_timeout': admin(
    duration('2m', 'A broker whose disk takes nothing for so long ends, to be started anew; 0 for never.', {
      ...{ min: '30 s', isZeroTaken: true },
    }),
  ),
  'cluster.auth.enabled': plane(toggle(false, 'Whether nodes prove to each other that they belong together.')),
  'cluster.auth.shared_secret': secret('What they prove it with.'),
  'cluster.auth.previous_shared_secret': secret('What they proved it with before, while it is replaced.'),
  'cluster.tls.enabled': plane(toggle(false, 'Whether nodes speak to each other encrypted.')),
  'cluster.tls.self_signed': plane(toggle(false, 'Whether they make their certificates themselves.')),
  'cluster.tls.cert_file': plane(text('', 'Certificate among the nodes.')),
  'cluster.tls.key_file': plane(text('', 'Key of that certificate.')),
  'cluster.tls.ca_file': plane(text('', 'Whom the nodes trust to have signed it.')),
  'cluster.coordinator.skip_shard_zero_for_replicas': admin(
    toggle(true, 'Whether the first shard is spared connections of other nodes.'),
  ),
  'cluster.coordinator.skip_shard_zero_for_clients': admin(
    toggle(false, 'Whether the first shard is spared connections of clients.'),
  ),
};

const DEPTH = { min: 1, max: 127 };

export const IGGY_METADATA: BrokerSettings = {
  'metadata.prepare_queue_depth': admin(
    count(32, 'Changes of streams and users that may be under way at once.', DEPTH),
  ),
  'metadata.journal_slots': admin(
    count(1_024, 'Changes that the journal holds; with fewer than before the broker may not start.', {
      ...{ min: 256, max: 1_048_576 },
    }),
  ),
  'metadata.clients_table_max': admin(
    count(8_192, 'Clients whose last request is remembered; fixed by the first change.', { min: 2, max: 65_536 }),
  ),
  'metadata.partitions_max': count(0, 'Partitions that there may be in all; 0 for no limit.'),
};

export const IGGY_PARTITION: BrokerSettings = {
  'partition.wal_bytes_max': admin(
    size('256 MiB', 'Room of the write-ahead log of a partition.', {
      ...{ min: '134225920 B', max: '4 GiB', multipleOf: 4_096 },
    }),
  ),
  'partition.wal_group_commit_delay_micros': count(0, 'Microseconds that a write may wait for others to join it.', {
    max: 10_000,
  }),
  'partition.validate_checksum': toggle(true, 'Whether checksums of messages are checked when they are read.'),
  'partition.prepare_queue_depth': admin(count(32, 'Batches of one partition that may be under way at once.', DEPTH)),
  'partition.dedup_clients_max': admin(
    count(4_096, 'Producers whose repeated batches are recognized; fixed by the first batch.', { min: 1, max: 65_536 }),
  ),
  'partition.consumer_offsets_max': count(4_096, 'Offsets of consumers that one partition keeps.', {
    ...{ min: 1, max: 262_144 },
  }),
  'partition.offset_reservation_lease': admin(
    count(65_536, 'Offsets that are reserved at a time.', {
      ...{ min: 1, max: 16_777_216 },
    }),
  ),
  'partition.evicted_ring_capacity': admin(
    count(65_536, 'Recent batches that are kept for nodes that fell behind.', {
      ...{ min: 1, max: 65_536 },
    }),
  ),
  'partition.evicted_ring_bytes_max': admin(size('64 MiB', 'Memory of those batches.', { min: '1 B', max: '256 MiB' })),
  'partition.transfer_served_cache_bytes_max': admin(
    size('2176 MiB', 'Memory for what other nodes fetch at once.', { min: '1 B', max: '64 GiB' }),
  ),
  'partition.transfer_artifact_bytes_max': admin(
    size('1088 MiB', 'Largest piece that another node fetches.', { min: '1 GiB', max: '64 GiB' }),
  ),
};

export const IGGY_MESSAGE_BUS: BrokerSettings = {
  'message_bus.max_batch': admin(
    count(256, 'Messages that are written to a connection at once.', { min: 1, max: 512 }),
  ),
  'message_bus.max_message_size': admin(
    size('64 MiB', 'Largest message on any connection; some clients take no more than 64 MiB.', {
      ...{ min: '280 B', max: '256 MiB' },
    }),
  ),
  'message_bus.replica_read_buffer_size': admin(
    size('32 KiB', 'Buffer for what another node sends; 0 for none.', {
      ...{ min: '4 KiB', max: '16 MiB', isZeroTaken: true },
    }),
  ),
  'message_bus.peer_queue_capacity': admin(count(4_096, 'Messages that may wait for another node.', { min: 1 })),
  'message_bus.client_queue_capacity': admin(count(256, 'Answers that may wait for a slow client.', { min: 1 })),
  'message_bus.reconnect_period': admin(duration('1 s', 'Pause before a lost node is called again.', SOME)),
  'message_bus.close_peer_timeout': admin(duration('2 s', 'Time that a connection to a node has to end.', SOME)),
  'message_bus.close_grace': admin(duration('2 s', 'Time that a connection of a client has to end.', SOME)),
  'message_bus.handshake_grace': admin(duration('10 s', 'Time that a new connection has to say who it is.', SOME)),
  'message_bus.connections_max': count(null, 'Clients at once. Default: half of the open files. 0 for no limit.'),
};
