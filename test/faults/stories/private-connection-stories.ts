import { LocalOtherSide, type LocalConnectionKind } from '@libs/cloud';
import { eventually, type TestCloud } from '@libs/testing';
import { Unanswered, type PatientClient } from '../patient-client.js';
import { AT_CLOUD, nameAtProvider, PRIVATE_WAYS, saidBy, type Answers } from '../private-ways.js';
import type { KeptConnection, Promised } from '../promised.js';

const PATIENCE_MS = 120_000;
/** Number that stays on a deployment after the scenario. */
const KEPT = 2;

type Ended = (operation: number) => Promise<{ status: string; reason: string | null }>;

/** An accepted connection, and the operation that creates it. */
interface Made {
  connection: KeptConnection;
  operation: number;
}

/**
 * Private connections under faults: a requested connection exists at the provider and gets the state that the other
 * side chooses.
 */
export class PrivateConnectionStories {
  private readonly otherSide: LocalOtherSide;
  private named = 0;

  constructor(
    private readonly cloud: TestCloud,
    private readonly client: PatientClient,
    private readonly ended: Ended,
  ) {
    this.otherSide = new LocalOtherSide(cloud.directory);
  }

  /**
   * Creates three peerings and a service at once. Deletes one peering during its creation; the other side accepts one
   * and rejects one. Then deletes all except the newest.
   */
  async connect(promised: Promised): Promise<void> {
    const { name, privateCloud } = promised;
    if (privateCloud === null) throw new RangeError(`${name} is not for private connections`);
    const { peering, accepted, rejected, service, served } = AT_CLOUD[privateCloud];
    await Promise.all([
      this.make(promised, peering, 'gone').then(({ connection }) => this.remove(promised, connection)),
      this.answered(promised, peering, accepted),
      this.answered(promised, peering, rejected),
      this.made(promised, service, served),
    ]);
    const byAge = promised.privateConnections.toSorted((a, b) => a.id - b.id);
    await Promise.all(byAge.slice(0, -KEPT).map((one) => this.remove(promised, one)));
  }

  /** Creates a peering; the other side then accepts or rejects it. */
  private async answered(promised: Promised, kind: LocalConnectionKind, answers: Answers): Promise<void> {
    const connection = await this.made(promised, kind, null);
    for (const [move, status] of answers) {
      connection.status = status;
      await this.act(promised, connection, move);
      await this.says(promised, connection, status);
    }
  }

  /**
   * Creates a connection and waits until the operation succeeds.
   * @param status State that it reaches without the other side; null: none to wait for
   */
  private async made(promised: Promised, kind: LocalConnectionKind, status: string | null): Promise<KeptConnection> {
    const { connection, operation } = await this.make(promised, kind, status ?? 'asked for');
    await this.succeeds(operation, `${kind} ${connection.id}`);
    if (status !== null) await this.says(promised, connection, status);
    return connection;
  }

  private async make(promised: Promised, kind: LocalConnectionKind, status: string): Promise<Made> {
    const { path, header, body } = PRIVATE_WAYS[kind];
    const number = (this.named += 1);
    const order = { name: `story-${number}`, ...body(number) };
    const { status: code, body: problem, headers } = await this.client.post(pathOf(promised, path), order);
    // The answer to a repeated request has the ids of the first one.
    const [id, operation] = [Number(headers.get(header)), Number(headers.get('ld-operation'))];
    if (code !== 204 || !id || !operation) throw new Unanswered(`${kind}: ${code} ${JSON.stringify(problem)}`);
    const connection = { id, kind, status };
    promised.privateConnections.push(connection);
    return { connection, operation };
  }

  private async remove(promised: Promised, connection: KeptConnection): Promise<void> {
    const { id, kind } = connection;
    const { status, body, headers } = await this.client.delete(pathOf(promised, `${PRIVATE_WAYS[kind].path}/${id}`));
    // The first answer may have been lost; then the second one reports a deletion in progress or completed.
    const isAccepted = status === 204 || status === 404 || body?.code === 'state_conflict';
    if (!isAccepted) throw new Unanswered(`deletion of ${kind} ${id}: ${status} ${JSON.stringify(body)}`);
    promised.privateConnections = promised.privateConnections.filter((one) => one !== connection);
    const operation = headers.get('ld-operation');
    if (operation) await this.succeeds(Number(operation), `deletion of ${kind} ${id}`);
    await this.says(promised, connection, 'missing');
  }

  private async succeeds(operation: number, what: string): Promise<void> {
    const { status, reason } = await this.ended(operation);
    if (status !== 'succeeded') throw new Unanswered(`${what} ${status}: ${reason}`);
  }

  /** Polls until the record has this status: Landlord detects changes of the other side by polling. */
  private async says(promised: Promised, { id, kind }: KeptConnection, wanted: string): Promise<void> {
    const path = pathOf(promised, PRIVATE_WAYS[kind].path);
    let said = 'nothing';
    await eventually(
      () => `${kind} ${id} is ${wanted}: it is ${said}`,
      async () => {
        const { status, body } = await this.client.get(path);
        const records: ({ id: number } & Record<string, unknown>)[] = status === 200 ? body : [];
        said =
          status === 200
            ? saidBy(
                records.find((one) => one.id === id),
                kind,
              )
            : String(status);
        return said === wanted;
      },
      PATIENCE_MS,
    );
  }

  /** The other side has the same full disk and the same locks, so it retries until it succeeds. */
  private async act(
    { id }: Promised,
    { kind, ...connection }: KeptConnection,
    move: 'accept' | 'reject',
  ): Promise<void> {
    const name = nameAtProvider(this.cloud.installation.installation, id, { kind, id: connection.id });
    let last = 'nothing';
    await eventually(
      () => `the other side comes to ${move} ${name}: ${last}`,
      async () => {
        try {
          await this.otherSide[move]({ name, kind });
          return true;
        } catch (error) {
          last = String(error);
          const localConnections = await this.otherSide.list().catch(() => []);
          return localConnections.some(
            (localConnection) =>
              localConnection.name === name &&
              localConnection.kind === kind &&
              localConnection.state === connection.status,
          );
        }
      },
      PATIENCE_MS,
    );
  }
}

const pathOf = ({ id }: Promised, path: string): string => `/deployments/${id}/network/${path}`;
