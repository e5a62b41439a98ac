import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { isSameHash, type DeploymentId, type NodeId } from '@libs/domain';
import { Notifications } from '@libs/persistence';
import { hashAgentSecret, NodeAgentsRepository, type AgentRow } from '@libs/persistence/runtime';

const CACHED_AGENTS = 20_000;

/** An authenticated agent. */
export interface Agent {
  nodeId: NodeId;
  deploymentId: DeploymentId;
  epoch: number;
}

/**
 * Authenticates agents. Credentials are cached, because every agent sends several requests a minute. NOTIFY removes a
 * changed credential from the cache at once.
 */
@Injectable()
export class AgentRegistry implements OnModuleInit, OnModuleDestroy {
  private readonly cache = new Map<NodeId, AgentRow>();
  private stop: (() => void) | undefined;

  constructor(
    private readonly agents: NodeAgentsRepository,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.stop = this.notifications.on('landlord_agents', (payload) => {
      if (payload === '') this.cache.clear();
      else this.cache.delete(Number(payload));
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  /** The agent of a confirmed credential that is in memory, without a query. */
  remembered(authorization: string | undefined): Agent | null {
    const credential = parsed(authorization);
    const row = credential && this.cache.get(credential.nodeId);
    if (
      !credential ||
      !row?.credentialConfirmed ||
      !row.credentialHash ||
      !isSameHash(row.credentialHash, credential.hash)
    )
      return null;
    return { nodeId: row.nodeId, deploymentId: row.deploymentId, epoch: row.epoch };
  }

  /**
   * Returns the agent of `authorization: Bearer <node id>.<secret>`, or null. Its first call invalidates the one-time
   * token.
   */
  async authenticate(authorization: string | undefined): Promise<Agent | null> {
    const credential = parsed(authorization);
    if (!credential) return null;
    const row = await this.find(credential.nodeId);
    if (!row?.credentialHash || !isSameHash(row.credentialHash, credential.hash)) return null;
    if (!row.credentialConfirmed) {
      await this.agents.confirm(row.nodeId, credential.hash);
      this.cache.delete(row.nodeId);
    }
    return { nodeId: row.nodeId, deploymentId: row.deploymentId, epoch: row.epoch };
  }

  /** Whether this is the header of a node that can register now: `Bearer <node id>.<one-time token>`. Returns the node, or null. */
  async expected(authorization: string | undefined): Promise<NodeId | null> {
    const credential = parsed(authorization);
    if (!credential) return null;
    const row = await this.find(credential.nodeId);
    if (!row?.bootstrapTokenHash || !isSameHash(row.bootstrapTokenHash, credential.hash)) return null;
    // Only the database knows the time at which the token ends.
    return (await this.agents.canRegister(row.nodeId, credential.hash)) ? row.nodeId : null;
  }

  /** Stores the agent's credential in exchange for its one-time token. Null when the token is wrong, used or expired. */
  async register(nodeId: NodeId, token: string, credentialHash: Buffer, version: string): Promise<Agent | null> {
    if (!(await this.agents.register(nodeId, hashAgentSecret(token), credentialHash, version))) return null;
    this.cache.delete(nodeId);
    const row = await this.agents.find(nodeId);
    return row && { nodeId, deploymentId: row.deploymentId, epoch: row.epoch };
  }

  private async find(nodeId: NodeId): Promise<AgentRow | null> {
    const cached = this.cache.get(nodeId);
    if (cached) return cached;
    const row = await this.agents.find(nodeId);
    if (!row) return null;
    if (this.cache.size >= CACHED_AGENTS) this.cache.clear();
    this.cache.set(nodeId, row);
    return row;
  }
}

/** The node and the hash of the secret in `Bearer <node id>.<secret>`, or null. */
function parsed(authorization: string | undefined): { nodeId: NodeId; hash: Buffer } | null {
  const match = /^Bearer ([1-9]\d{0,15})\.([\w-]{16,128})$/.exec(authorization ?? '');
  return match && { nodeId: Number(match[1]), hash: hashAgentSecret(match[2] ?? '') };
}
