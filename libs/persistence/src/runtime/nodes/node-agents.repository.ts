import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import type { DeploymentId, NodeId } from '@libs/domain';
import { statement, Database } from '../../database.js';
import type { NumberedRow } from '../../statement-batcher.js';
import type { SecretLocation } from '../../sealed-columns.js';
import { Secrets } from '../../secrets.js';

/** The data of a node that the gateway needs to authenticate its agent. */
export interface AgentRow extends NumberedRow {
  nodeId: NodeId;
  deploymentId: DeploymentId;
  epoch: number;
  bootstrapTokenHash: Buffer | null;
  credentialHash: Buffer | null;
  credentialConfirmed: boolean;
}

// Thousands of agents come back in one moment after a restart of the gateway, so lookups share the statement.
const FIND = statement(
  'agent.find',
  `select i.n, nodes.id as "nodeId", deployment_id as "deploymentId", epoch, bootstrap_token_hash as "bootstrapTokenHash",
          credential_hash as "credentialHash", credential_confirmed as "credentialConfirmed"
     from unnest($1::bigint[]) with ordinality as i(id, n) join nodes on nodes.id = i.id`,
);
// A machine that never registers keeps its token in its user data, where others may read it later.
const TOKEN_END = `now() + interval '30 minutes'`;

// The hash can be replaced only while the one-time token is valid. So an agent that lost the answer can register again.
const REGISTER = statement(
  'agent.register',
  `update nodes set credential_hash = $3, agent_version = $4
    where id = $1 and bootstrap_token_hash = $2 and bootstrap_expires_at > now() and not credential_confirmed
   returning pg_notify('landlord_agents', id::text)`,
);
const CAN_REGISTER = statement(
  'agent.can_register',
  `select 1 from nodes where id = $1 and bootstrap_token_hash = $2 and bootstrap_expires_at > now() and not credential_confirmed`,
);
const CONFIRM = statement(
  'agent.confirm',
  `update nodes set credential_confirmed = true, bootstrap_token_hash = null, bootstrap_token = null
    where id = $1 and not credential_confirmed and credential_hash = $2
   returning pg_notify('landlord_agents', id::text)`,
);

const ISSUE_TOKEN = statement(
  'agent.issue_token',
  `update nodes set bootstrap_token_hash = $2, bootstrap_token = $3, bootstrap_expires_at = ${TOKEN_END}
    where id = $1 and bootstrap_token is null and not credential_confirmed`,
);
// The new epoch blocks processes that still act for the replaced node. Its credential and observed state become invalid.
const REPLACE = statement(
  'agent.replace',
  `update nodes set epoch = epoch + 1, credential_hash = null, credential_confirmed = false, bootstrap_token_hash = $2,
          bootstrap_token = $3, bootstrap_expires_at = ${TOKEN_END}, observed_timeline = 0, observed_generation = 0, observed_hash = ''
    where id = $1 and status <> 'deleting' returning pg_notify('landlord_agents', id::text)`,
);
const RENEW_TOKEN = statement(
  'agent.renew_token',
  `update nodes set bootstrap_expires_at = ${TOKEN_END} where id = $1 and bootstrap_token is not null
   returning bootstrap_token`,
);
// In the order of the ids, as all statements that lock several nodes.
const RENEW_TOKENS = statement(
  'agent.renew_tokens',
  `with held as materialized (
     select n.id from unnest($1::bigint[], $2::integer[]) as placed(id, epoch)
       join nodes n on n.id = placed.id and n.epoch = placed.epoch
      where n.bootstrap_token is not null order by n.id for no key update of n
   )
   update nodes n set bootstrap_expires_at = ${TOKEN_END} from held
    where n.id = held.id and n.bootstrap_token is not null returning n.id, n.bootstrap_token`,
);

const locationOf = (nodeId: NodeId): SecretLocation => ({ table: 'nodes', column: 'bootstrap_token', row: nodeId });

/** SHA-256. Credentials and tokens of agents are stored in this form. */
export const hashAgentSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Credentials of node agents. */
@Injectable()
export class NodeAgentsRepository {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** Creates the one-time token only once, because a repeated step must deliver the same token. */
  async issueToken(nodeId: NodeId): Promise<void> {
    await this.database.execute(ISSUE_TOKEN, [nodeId, ...this.newToken(nodeId)]);
  }

  /** The node was lost with its data. Issues a new one-time token for its replacement. */
  async replace(nodeId: NodeId): Promise<void> {
    await this.database.execute(REPLACE, [nodeId, ...this.newToken(nodeId)]);
  }

  private newToken(nodeId: NodeId): [hash: Buffer, sealed: string] {
    const token = randomBytes(32).toString('base64url');
    return [hashAgentSecret(token), this.secrets.seal(locationOf(nodeId), token)];
  }

  /**
   * The one-time token, which registers an agent within the next 30 minutes. It stays the same, because a machine can have received
   * it already. Empty after the agent has used its own credential.
   */
  async renewedToken(nodeId: NodeId): Promise<string> {
    const [row] = await this.database.query<{ bootstrap_token: string | null }>(RENEW_TOKEN, [nodeId]);
    return row?.bootstrap_token ? this.secrets.open(locationOf(nodeId), row.bootstrap_token) : '';
  }

  /**
   * The same for several nodes. A node whose agent has used its own credential is missing, and also a node that was replaced:
   * its token is for another machine.
   */
  async renewedTokens(nodes: readonly { id: NodeId; epoch: number }[]): Promise<Map<NodeId, string>> {
    if (nodes.length === 0) return new Map();
    const values = [nodes.map(({ id }) => id), nodes.map(({ epoch }) => epoch)];
    const rows = await this.database.query<{ id: NodeId; bootstrap_token: string | null }>(RENEW_TOKENS, values);
    return new Map(
      rows.map(({ id, bootstrap_token: sealed }) => [id, sealed ? this.secrets.open(locationOf(id), sealed) : '']),
    );
  }

  async find(nodeId: NodeId): Promise<AgentRow | null> {
    return (await this.database.batched<AgentRow>(FIND, [nodeId])) ?? null;
  }

  /** Returns false when the token is wrong, used or expired. */
  async register(nodeId: NodeId, tokenHash: Buffer, credentialHash: Buffer, agentVersion: string): Promise<boolean> {
    return (await this.database.execute(REGISTER, [nodeId, tokenHash, credentialHash, agentVersion])) === 1;
  }

  /** Whether a registration with this token would succeed now. */
  async canRegister(nodeId: NodeId, tokenHash: Buffer): Promise<boolean> {
    return (await this.database.query(CAN_REGISTER, [nodeId, tokenHash])).length > 0;
  }

  /** The first authenticated call invalidates the one-time token. */
  async confirm(nodeId: NodeId, credentialHash: Buffer): Promise<void> {
    await this.database.execute(CONFIRM, [nodeId, credentialHash]);
  }
}
