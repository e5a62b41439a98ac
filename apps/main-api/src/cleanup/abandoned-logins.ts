import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Ledger, type LedgerRecord } from '@libs/ledger';
import { Database } from '@libs/persistence';
import { LoginCodesRepository, type AbandonedKey } from '@libs/persistence/organization';

const BATCH = 100;

/** Deletes the keys of logins by browser that no command line finished in time. Nobody knows a secret of these keys. */
@Injectable()
export class AbandonedLogins {
  constructor(
    private readonly database: Database,
    private readonly codes: LoginCodesRepository,
    private readonly ledger: Ledger,
  ) {}

  async run(): Promise<void> {
    while ((await this.database.transaction(() => this.deleteSome())) === BATCH);
  }

  private async deleteSome(): Promise<number> {
    const keys = await this.codes.forgetUnscoped(BATCH);
    for (const key of keys) await this.ledger.record(toRecord(key));
    return keys.length;
  }
}

const toRecord = ({ tenant_id, name, role_id, division_id, division_name }: AbandonedKey): LedgerRecord => ({
  audit: 'api_key_deleted',
  // The system deletes the key.
  author: { user: null, apiKey: null },
  context: {
    tenantId: tenant_id,
    division: division_id === null ? null : { id: division_id, name: division_name ?? '' },
    environment: null,
    deployment: null,
  },
  data: { name, role_id, ...(division_id !== null && { division_id }) },
  // No request caused the deletion, so a new trace starts here.
  traceId: randomBytes(16).toString('hex'),
});
