import { eventually, type TestCloud } from '@libs/testing';
import { LedgerRepository } from '@libs/persistence/ledger';
import { PatientClient } from '../patient-client.js';
import type { PlayedEvent, PlayedTenant } from './event-plan.js';

const PATIENCE_MS = 120_000;
const UNIQUE_VIOLATION = '23505';

/** A write by the API was refused. */
export class WriteRefused extends Error {}

/** Makes events happen, whoever dies meanwhile. */
export class EventWriter {
  constructor(private readonly cloud: TestCloud) {}

  /** As the ledger writes them, all in one commit; tried again until it is known to have been made. */
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
      // The answer to the commit before was lost, not the commit.
      return (error as { code?: string }).code === UNIQUE_VIOLATION;
    }
  }

  /** A new division, by the API. */
  async createDivision({ id: tenantId, key: apiKey }: PlayedTenant, name: string): Promise<PlayedEvent> {
    const client = new PatientClient(this.cloud.main(apiKey));
    const { status, body } = await client.post(`/tenants/${tenantId}/divisions`, { name });
    if (status !== 201) throw new WriteRefused(`${status} ${JSON.stringify(body)}`);
    return { key: name, type: 'division_created', tenantId, divisionId: body.id as number, environmentId: null };
  }
}
