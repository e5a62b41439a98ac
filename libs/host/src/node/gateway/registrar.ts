import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readFileIfAny, writePrivateFile } from '../../os/private-file.js';
import { reasonOf, type JsonLog } from '../../os/json-log.js';
import { BOOTSTRAP_FILE, type AgentBootstrap } from '../agent-bootstrap.js';
import { GatewayError } from '../agent-error.js';
import { AGENT_VERSION } from '../agent-version.js';
import { Backoff } from './backoff.js';
import type { GatewayClient } from './gateway-client.js';
import { Wakeup } from '../../os/wakeup.js';

/** The agent's identity: its own secret, and the epoch that fences it when the node is replaced. */
export interface Identity {
  authorization: string;
  epoch: number;
}

interface Registration {
  secret: string;
  /** Null until the gateway has answered the registration. */
  epoch: number | null;
}

/**
 * Creates the agent's credential and stores it durably before it is sent. After a lost answer the agent registers again with
 * the same credential.
 */
export class Registrar {
  private readonly path: string;
  private readonly bootstrapPath: string;
  private running: Promise<Identity | null> | null = null;

  constructor(
    dir: string,
    private readonly bootstrap: AgentBootstrap,
    private readonly client: GatewayClient,
    private readonly bootId: string,
    private readonly log: JsonLog,
  ) {
    this.path = join(dir, 'credential.json');
    this.bootstrapPath = join(dir, BOOTSTRAP_FILE);
  }

  /** The identity of an earlier registration, or of a new one. Retries until it succeeds. Null when aborted. */
  async identity(signal: AbortSignal): Promise<Identity | null> {
    const { secret, epoch } = await this.ensure();
    return epoch === null ? this.register(signal) : this.identityOf(secret, epoch);
  }

  /**
   * The gateway has accepted a call with the credential. Then the one-time token is invalid and is removed from the disk. This
   * process keeps it in memory for a gateway whose database is restored to an earlier state.
   */
  async forgetToken(): Promise<void> {
    const content = await readFileIfAny(this.bootstrapPath);
    const bootstrap = JSON.parse(content ?? '{}') as Partial<AgentBootstrap>;
    if (!bootstrap.token) return;
    await writePrivateFile(this.bootstrapPath, JSON.stringify({ ...bootstrap, token: '' }));
  }

  /** Registers again. Both loops share one attempt. Rejects with GatewayError when the node is deleted. */
  register(signal: AbortSignal): Promise<Identity | null> {
    this.running ??= this.tryUntilRegistered(signal).finally(() => (this.running = null));
    return this.running;
  }

  private async tryUntilRegistered(signal: AbortSignal): Promise<Identity | null> {
    const backoff = new Backoff();
    const pause = new Wakeup();
    while (!signal.aborted) {
      try {
        return await this.registerOnce(signal);
      } catch (error) {
        if (error instanceof GatewayError && error.status === 410) throw error;
        if (signal.aborted) return null;
        const waitMs = backoff.next(error instanceof GatewayError ? error.retryAfterMs : null);
        this.log.warn('registration failed', { reason: reasonOf(error), retry_ms: Math.round(waitMs) });
        await pause.sleep(waitMs, signal);
      }
    }
    return null;
  }

  private async registerOnce(signal: AbortSignal): Promise<Identity> {
    const { secret } = await this.ensure();
    const answer = await this.client.register(
      {
        node_id: this.bootstrap.node_id,
        token: this.bootstrap.token,
        credential_hash: createHash('sha256').update(secret).digest('hex'),
        agent_version: AGENT_VERSION,
        boot_id: this.bootId,
      },
      signal,
    );
    await this.save({ secret, epoch: answer.epoch });
    this.log.info('registered', { epoch: answer.epoch });
    return this.identityOf(secret, answer.epoch);
  }

  private async ensure(): Promise<Registration> {
    const content = await readFileIfAny(this.path);
    if (content !== null) return JSON.parse(content) as Registration;
    const fresh = { secret: randomBytes(32).toString('base64url'), epoch: null };
    await this.save(fresh);
    return fresh;
  }

  private save(registration: Registration): Promise<void> {
    return writePrivateFile(this.path, JSON.stringify(registration));
  }

  private identityOf(secret: string, epoch: number): Identity {
    return { authorization: `Bearer ${this.bootstrap.node_id}.${secret}`, epoch };
  }
}
