import { eventually, type TestCloud } from '@libs/testing';
import { Unanswered, type PatientClient } from '../patient-client.js';
import type { Promised } from '../promised.js';
import type { StoryReceiver } from '../story-receiver.js';

/** Maximum on one deployment; the oldest one is deleted before a new one is activated. */
const MOST = 3;

/** In this order, so that three connectors in a row are one of each kind. */
const KINDS = [
  { connector_type: 'source', connector_key: 'random', plugin_config: { interval: '1s', messages_range: [1, 2] } },
  { connector_type: 'sink', connector_key: 'stdout', plugin_config: {} },
  { connector_type: 'sink', connector_key: 'http', plugin_config: {} },
] as const;
const PATIENCE_MS = 120_000;

type Ended = (operation: number) => Promise<{ status: string }>;

/** Connectors under faults: an activated connector exists, and runs or has a reason for its failure. */
export class ConnectorStories {
  private named = 0;

  constructor(
    private readonly cloud: TestCloud,
    private readonly main: PatientClient,
    private readonly runtime: PatientClient,
    private readonly ended: Ended,
    private readonly receiver: StoryReceiver,
  ) {}

  /** A source of numbers, and two sinks that read them: one prints, one sends to a receiver of the test. */
  async activate(promised: Promised): Promise<void> {
    if (promised.connectors.length >= MOST) await this.remove(promised);
    const kind = KINDS[promised.activations++ % KINDS.length] as (typeof KINDS)[number];
    const { connector_type, connector_key } = kind;
    const path = `${this.cloud.environment}/deployments/${promised.id}/connectors/activate`;
    const key = `story_${(this.named += 1)}`;
    const answer = await this.main.post(path, { connector_type, connector_key, instance_key: key });
    if (answer.status !== 202) throw new Unanswered(`activation: ${answer.status} ${JSON.stringify(answer.body)}`);
    promised.connectors.push(answer.body.id);
    await this.ended(Number(answer.headers.get('ld-operation')));
    await this.configure(promised, key, kind);
    if (promised.connectors.length === MOST) await this.receives(promised);
  }

  private async configure({ id }: Promised, name: string, kind: (typeof KINDS)[number]): Promise<void> {
    const plugin_config = kind.connector_key === 'http' ? { url: this.receiver.urlOf(id) } : kind.plugin_config;
    const values = { enabled: true, streams: [{ stream: 'faults', topics: ['random'] }], plugin_config };
    const path = `/deployments/${id}/configs/connector:${kind.connector_type}:${kind.connector_key}`;
    const answer = await this.runtime.post(path, { name, values, activate: true });
    if (answer.status !== 201) throw new Unanswered(`connector: ${answer.status} ${JSON.stringify(answer.body)}`);
    await this.ended(Number(answer.headers.get('ld-operation')));
  }

  /** With one connector of each kind, numbers go from the source through the broker to the receiver, also after faults. */
  private async receives({ id, name }: Promised): Promise<void> {
    const before = this.receiver.countOf(id);
    await eventually(`the receiver of ${name} gets a message`, () => this.receiver.countOf(id) > before, PATIENCE_MS);
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
