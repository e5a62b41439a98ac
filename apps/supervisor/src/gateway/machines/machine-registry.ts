import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { isSameHash, type MachineId, type MachineTokenId } from '@libs/domain';
import { Database, Notifications } from '@libs/persistence';
import {
  hashAgentSecret,
  MachinesRepository,
  MachineTokensRepository,
  type JoinedRow,
  type JoiningMachine,
  type MachineCredential,
} from '@libs/persistence/runtime';
import { SUPERVISOR_CONFIG, type SupervisorConfig } from '../../config.js';
import { splitSecret } from './machine-messages.js';

const CACHED_MACHINES = 10_000;

/** A request to join, without the cell, which the gateway has. */
export type Joining = Omit<JoiningMachine, 'cell' | 'tokenId' | 'secretHash'> & { token: string };

/**
 * Authenticates machines and hosts that join. Credentials of machines are cached. NOTIFY removes a changed credential, so a removed
 * machine is refused at once.
 */
@Injectable()
export class MachineRegistry implements OnModuleInit, OnModuleDestroy {
  private readonly cache = new Map<MachineId, MachineCredential>();
  /** Counts the notifications, so that a read from before a change does not fill the cache after it. */
  private changes = 0;
  private stop: (() => void) | undefined;
  private readonly cell: string;

  constructor(
    private readonly machines: MachinesRepository,
    private readonly tokens: MachineTokensRepository,
    private readonly database: Database,
    private readonly notifications: Notifications,
    @Inject(SUPERVISOR_CONFIG) { SUPERVISOR_CELL }: SupervisorConfig,
  ) {
    this.cell = SUPERVISOR_CELL;
  }

  onModuleInit(): void {
    this.stop = this.notifications.on('landlord_machines', (payload) => {
      this.changes += 1;
      if (payload === '') this.cache.clear();
      else this.cache.delete(Number(payload));
    });
  }

  onModuleDestroy(): void {
    this.stop?.();
  }

  /** The machine of a confirmed credential that is in memory, without a query. */
  remembered(authorization: string | undefined): MachineId | null {
    const credential = secretOf('machine', authorization);
    const row = credential && this.cache.get(credential.id);
    if (!credential || !row?.credential_confirmed || row.status === 'removed') return null;
    return isSameHash(row.credential_hash, hashAgentSecret(credential.secret)) ? row.id : null;
  }

  /** Returns the machine of `authorization: Bearer machine <machine id>.<secret>`, or null. The first call invalidates its token. */
  async authenticate(authorization: string | undefined): Promise<MachineId | null> {
    const credential = secretOf('machine', authorization);
    if (!credential) return null;
    const row = await this.find(credential.id);
    const hash = hashAgentSecret(credential.secret);
    if (!row || row.status === 'removed' || !isSameHash(row.credential_hash, hash)) return null;
    if (!row.credential_confirmed) {
      await this.machines.confirm(row.id, hash);
      this.cache.delete(row.id);
    }
    return row.id;
  }

  /** Whether this is the credential of a machine that an operator has removed. */
  async isRemoved(authorization: string | undefined): Promise<boolean> {
    const credential = secretOf('machine', authorization);
    const row = credential && (await this.find(credential.id));
    return row?.status === 'removed' && isSameHash(row.credential_hash, hashAgentSecret(credential?.secret ?? ''));
  }

  /** Returns the token of `authorization: Bearer join <token id>.<secret>` if a host can join with it now, or null. */
  async expected(authorization: string | undefined): Promise<MachineTokenId | null> {
    const credential = secretOf('join', authorization);
    if (!credential) return null;
    return (await this.tokens.isUnused(credential.id, hashAgentSecret(credential.secret), this.cell))
      ? credential.id
      : null;
  }

  /** Makes a host a machine. Null when the token is wrong, expired, or used by another machine. */
  async join({ token, ...joining }: Joining): Promise<JoinedRow | null> {
    const credential = splitSecret(token);
    if (!credential) return null;
    const secretHash = hashAgentSecret(credential.secret);
    return this.database.transaction(() =>
      this.tokens.join({ tokenId: credential.id, secretHash, cell: this.cell, ...joining }),
    );
  }

  private async find(id: MachineId): Promise<MachineCredential | null> {
    const cached = this.cache.get(id);
    if (cached) return cached;
    const { changes } = this;
    const row = await this.machines.findCredential(id, this.cell);
    if (row && changes === this.changes) {
      if (this.cache.size >= CACHED_MACHINES) this.cache.clear();
      this.cache.set(id, row);
    }
    return row;
  }
}

function secretOf(kind: 'machine' | 'join', authorization = ''): { id: number; secret: string } | null {
  const prefix = `Bearer ${kind} `;
  return authorization.startsWith(prefix) ? splitSecret(authorization.slice(prefix.length)) : null;
}
