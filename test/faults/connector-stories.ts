import type { TestCloud } from '@libs/testing';
import { Unanswered, type PatientClient } from './patient-client.js';
import type { Promised } from './promised.js';

/** Maximum on one deployment; the oldest one is deleted before a new one is activated. */
const MOST = 3;

type Ended = (operation: number) => Promise<{ status: string }>;

/** Connectors under faults: an activated connector exists, and runs or has a reason for its failure. */
export class ConnectorStories {
  private named = 0;

  constructor(
    private readonly cloud: TestCloud,
    private readonly main: PatientClient,
    private readonly runtime: PatientClient,
    private readonly ended: Ended,
  ) {}

  async activate(promised: Promised): Promise<void> {
    if (promised.connectors.length >= MOST) await this.remove(promised);
    const path = `${this.cloud.environment}/deployments/${promised.id}/connectors/activate`;
    const key = `story_${(this.named += 1)}`;
    const answer = await this.main.post(path, {
      connector_type: 'source',
      connector_key: 'random',
      instance_key: key,
    });
    if (answer.status !== 202) throw new Unanswered(`activation: ${answer.status} ${JSON.stringify(answer.body)}`);
    promised.connectors.push(answer.body.id);
    await this.ended(Number(answer.headers.get('ld-operation')));
    await this.configure(promised, key);
  }

  /** Configures the source to send a number every second. */
  private async configure({ id }: Promised, name: string): Promise<void> {
    const values = {
      enabled: true,
      streams: [{ stream: 'faults', topics: ['random'] }],
      plugin_config: { interval: '1s', messages_range: [1, 1] },
    };
    const path = `/deployments/${id}/configs/connector:source:random`;
    const answer = await this.runtime.post(path, { name, values, activate: true });
    if (answer.status !== 201) throw new Unanswered(`connector: ${answer.status} ${JSON.stringify(answer.body)}`);
    await this.ended(Number(answer.headers.get('ld-operation')));
  }

  private async remove(promised: Promised): Promise<void> {
    const [oldest] = promised.connectors;
    const answer = await this.runtime.delete(`/deployments/${promised.id}/connectors/instances/${oldest}`);
    // The first answer may have been lost.
    if (![204, 404].includes(answer.status)) throw new Unanswered(`removal: ${answer.status}`);
    promised.connectors.shift();
    const operation = answer.headers.get('ld-operation');
    if (operation) await this.ended(Number(operation));
  }
}

/** Each deployment has exactly the connectors that it was promised. */
export async function connectorsKept(cloud: TestCloud, promised: readonly Promised[]): Promise<string[]> {
  const rows = await cloud.rows<{ deployment: number; id: number }>(
    'select deployment_id::int as deployment, id::int as id from connector_instances order by id',
  );
  return promised
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ id, name, connectors }) => [
      name,
      rows.filter((row) => row.deployment === id).map((row) => row.id),
      connectors,
    ])
    .filter(([, held, wanted]) => String(held) !== String(wanted))
    .map(([name, held, wanted]) => `${String(name)} has the connectors ${String(held)}, not ${String(wanted)}`);
}
