import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { BrokerDriver, DeploymentId, NodeId, UserId } from '@libs/domain';
import { statement, Database } from '../database.js';
import type { SecretLocation } from '../sealed-columns.js';
import { Secrets } from '../secrets.js';
import { configLocation } from './configs.repository.js';
import { freshPassword, passwordLocation } from './security/credentials.repository.js';

/** A node at its creation, with a reserved id. */
export interface NewNode {
  id: NodeId;
  ordinal: number;
  name: string;
  role: 'leader' | 'follower';
  broker_driver: BrokerDriver;
  broker_version: string;
  image_id: string;
  storage_type: string;
  storage_size: number;
  /** Compute size and its memory. */
  variant: string;
  memory_mib: number;
}

/** The initial rows of a deployment. */
export interface InitialRows {
  cell: string;
  runtimeVersion: string;
  authorId: UserId | null;
  nodes: NewNode[];
  /** Whether it starts with a rule that allows all clients. */
  isOpenToAll: boolean;
  /** Whether its nodes have public addresses. */
  hasPublicIp: boolean;
  /** Whether its nodes encrypt the stored data. */
  isEncrypted: boolean;
  /** Bytes per second of PUBLISH packets from clients. Null: no limit. */
  rateLimitBytes: number | null;
  /** The deployment whose backup the nodes start with. Their brokers do not start before. Null: they start empty. */
  restoreSource: DeploymentId | null;
}

/** For AES-256. */
const DATA_KEY_BYTES = 32;

export const dataKeyLocation = (deploymentId: DeploymentId): SecretLocation => ({
  table: 'deployment_runtimes',
  column: 'data_key',
  row: deploymentId,
});

const OPEN_RULES = { broker_tcp: true, broker_http: true, broker_websocket: true, broker_udp: true };

// One statement: the rows of five tables cost one round trip while the tenant is locked.
const INSERT = statement(
  'birth.insert',
  `with runtime as (
     insert into deployment_runtimes (deployment_id, cell, status, peer_secret, network_mode, rate_limit_bytes, data_key,
       restore_source)
     values ($1, $2, 'creating', $3, $12, $13::integer, $14, $15::bigint)
     returning deployment_id
   ), credentials as (
     insert into deployment_credentials (deployment_id, username, password) select deployment_id, $4, $5 from runtime
   ), config as (
     insert into configs (deployment_id, kind, name, version, is_primary, config_values, runtime_version, author_id)
     select deployment_id, 'broker', 'broker', 1, true, $6, $7, $8::bigint from runtime
     returning id
   ), rule as (
     insert into access_rules (deployment_id, name, remarks, cidr_blocks, rules)
     select deployment_id, 'global', 'Made with the Free deployment', '{0.0.0.0/0}', $9::jsonb from runtime where $10::boolean
   )
   insert into nodes (id, deployment_id, ordinal, name, role, broker_driver, broker_version, image_id, storage_type, storage_size,
     variant, memory_mib, config_id, held_at) overriding system value
   select n.id, r.deployment_id, n.ordinal, n.name, n.role, n.broker_driver, n.broker_version, n.image_id, n.storage_type, n.storage_size,
          n.variant, n.memory_mib, k.id, case when $15::bigint is not null then now() end
     from runtime r, config k, jsonb_to_recordset($11::jsonb) as n(id bigint, ordinal smallint, name text, role text, broker_driver text,
       broker_version text, image_id text, storage_type text, storage_size integer, variant text, memory_mib integer)
    order by n.ordinal`,
);

/** Inserts the first rows of the Supervisor's tables, in the transaction of the request for the deployment. */
@Injectable()
export class InitialRowsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Inserts the rows with new secrets. */
  async insert(deploymentId: DeploymentId, initialRows: InitialRows): Promise<void> {
    const peerSecret = freshPassword();
    const username = `broker-${randomBytes(4).toString('hex')}`;
    const values = this.secrets.seal(configLocation(deploymentId, 'broker', 'broker', 1), '{}');
    await this.database.execute(INSERT, [
      deploymentId,
      initialRows.cell,
      this.secrets.seal({ table: 'deployment_runtimes', column: 'peer_secret', row: deploymentId }, peerSecret),
      username,
      this.secrets.seal(passwordLocation(deploymentId), freshPassword()),
      values,
      initialRows.runtimeVersion,
      initialRows.authorId,
      JSON.stringify(OPEN_RULES),
      initialRows.isOpenToAll,
      JSON.stringify(initialRows.nodes),
      initialRows.hasPublicIp ? 'public' : 'private',
      initialRows.rateLimitBytes,
      initialRows.isEncrypted ? this.freshDataKey(deploymentId) : null,
      initialRows.restoreSource,
    ]);
  }

  private freshDataKey(deploymentId: DeploymentId): string {
    const key = randomBytes(DATA_KEY_BYTES).toString('base64');
    return this.secrets.seal(dataKeyLocation(deploymentId), key);
  }
}
