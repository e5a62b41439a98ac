import { eventually, type TestCloud } from '@libs/testing';
import { LedgerRepository } from '@libs/persistence/ledger';
import { PatientClient } from '../patient-client.js';
import type { PlayedEvent, PlayedTenant } from './event-plan.js';

const PATIENCE_MS = 120_000;
const UNIQUE_VIOLATION = '23505';

/** The API refused a write. */
export class WriteRefused extends Error {}

/** Writes events, also while processes are killed. */
export class EventWriter {
  constructor(private readonly cloud: TestCloud) {}

  /** Writes like the ledger, all in one commit; retries until the commit is confirmed. */
  async write(events: readonly PlayedEvent[]): Promise<void> {
    await eventually('the events are written', () => this.attempt(events), PATIENCE_MS);
  }

  private async attempt(events: readonly PlayedEvent[]): Promise<boolean> {
    const named = (id: number | null) => (id === null ? null : { id, name: `n${id}` });
    try {
      await this.cloud.asSupervisor(async (database) => {
        const ledger = new LedgerRepository(database);
        for (const { key, type, tenantId, divisionId, environmentId } of events)
          await ledger.insertOutbox({
            ...{ event_key: key, type, tenant_id: tenantId, deployment: null, subject: key, trace_id: 'faults' },
            ...{ division: named(divisionId), environment: named(environmentId), data: { key } },
          });
      });
      return true;
    } catch (error) {
      // The previous commit succeeded; only its answer was lost.
      return (error as { code?: string }).code === UNIQUE_VIOLATION;
    }
  }

  /** Creates a division through the API. */
  async createDivision({ id: tenantId, key: apiKey }: PlayedTenant, name: string): Promise<PlayedEvent> {
    const client = new PatientClient(this.cloud.main(apiKey));
    const { status, body } = await client.post(`/tenants/${tenantId}/divisions`, { name });
    if (status !== 201) throw new WriteRefused(`${status} ${JSON.stringify(body)}`);
    return { key: name, type: 'division_created', tenantId, divisionId: body.id as number, environmentId: null };
  }
}
