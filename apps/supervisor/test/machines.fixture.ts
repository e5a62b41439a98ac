import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JoinedMachine, JoinRequest, MachineDocument, MachineNodeStatus, MachineStatus } from '@libs/domain';
import type { GatewayUnderTest } from './gateway.fixture.js';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export const FACTS: JoinedMachine = {
  ...{ hostname: 'host-1', processor: 'x64', cpus: 8, memory_mib: 16_384, disk_gib: 200, address: '192.0.2.7' },
};

export interface TokenRequest {
  cell?: string;
  /** SQL interval until the end of the token. */
  validFor?: string;
}

/** Inserts a join token, like the operator's command. Returns `<token id>.<secret>`. */
export async function machineToken(
  { bench }: GatewayUnderTest,
  { cell = 'local', validFor = '30 minutes' }: TokenRequest = {},
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const [row] = await bench.rows<{ id: number }>(
    `insert into machine_tokens (cell, region, zone, secret_hash, expires_at)
     values ($1, 'us-east-1', 'us-east-1a', $2, now() + $3::interval) returning id`,
    [cell, sha256(secret), validFor],
  );
  return `${Number(row?.id)}.${secret}`;
}

/** A host that sends arbitrary requests to a real gateway. */
export class PlayedMachine {
  id = 0;
  readonly secret = randomBytes(32).toString('base64url');

  constructor(
    private readonly gateway: GatewayUnderTest,
    readonly facts: JoinedMachine = FACTS,
  ) {}

  /** A machine that has joined with a new token. */
  static async joined(gateway: GatewayUnderTest, facts: Partial<JoinedMachine> = {}): Promise<PlayedMachine> {
    const machine = new PlayedMachine(gateway, { ...FACTS, ...facts });
    const answer = await machine.join(await machineToken(gateway));
    if (answer.status !== 200) throw new TypeError(`the gateway answered ${answer.status} to a join`);
    return machine;
  }

  get credential(): string {
    return `Bearer machine ${this.id}.${this.secret}`;
  }

  async join(token: string, changes: Partial<JoinRequest> = {}): Promise<Response> {
    const credential_hash = sha256(this.secret).toString('hex');
    const body = { token, credential_hash, agent_version: '1.0.0', machine: this.facts, ...changes };
    const answer = await this.send('POST', 'machines/join', body);
    if (answer.status === 200) this.id = ((await answer.clone().json()) as { machine_id: number }).machine_id;
    return answer;
  }

  desired(since = 0, wait = 0): Promise<Response> {
    return this.send('GET', `machines/desired?since=${since}&wait=${wait}`);
  }

  async document(): Promise<MachineDocument> {
    return ((await (await this.desired()).json()) as { document: MachineDocument }).document;
  }

  /** Reports these nodes, with changes of the status. */
  status(nodes: readonly MachineNodeStatus[] = [], changes: Partial<MachineStatus> = {}): Promise<Response> {
    const agent = { sha256: null, refused: null };
    const body = { generation: 1, agent_version: '1.0.0', agent, machine: this.facts, nodes, ...changes };
    return this.send('POST', 'machines/status', body);
  }

  /** Sends a request below /agent/v1 with the credential of the machine, or another one. */
  send(method: string, path: string, body?: object, authorization = this.credential): Promise<Response> {
    const init = { method, headers: { 'content-type': 'application/json', authorization } };
    return fetch(`${this.gateway.url}/agent/v1/${path}`, { ...init, ...(body && { body: JSON.stringify(body) }) });
  }

  /** Places a node on the machine, like the driver. Returns the id of the node and its one-time token. */
  async place(changes: Partial<PlacedRow> = {}): Promise<{ id: number; token: string; deployment: number }> {
    const deployment = await this.gateway.deployment();
    const node = await this.gateway.expectedNode(deployment);
    const row = { broker: 'embedded', intent: 'present', incarnation: 1, state: 'pending', ...changes };
    await this.gateway.bench.rows(
      `insert into machine_nodes (name, node_id, deployment_id, machine_id, incarnation, broker, memory_mib, cpus, disk_gib, ports,
         is_dedicated, intent, state)
       values ('node-' || $1::bigint, $1, $2, $3, $4, $5, 512, 1, 10, '{20000,20001}', false, $6, $7)`,
      [node.id, deployment, this.id, row.incarnation, row.broker, row.intent, row.state],
    );
    await this.publish();
    return { ...node, deployment };
  }

  /** Raises the generation of the document, like the driver. */
  async publish(): Promise<void> {
    await this.gateway.bench.rows(
      `update machines set generation = generation + 1 where id = $1 returning pg_notify('landlord_machines', id::text)`,
      [this.id],
    );
  }

  /** Removes the machine, like the operator's command. */
  async remove(): Promise<void> {
    await this.gateway.bench.rows(
      `update machines set status = 'removed' where id = $1 returning pg_notify('landlord_machines', id::text)`,
      [this.id],
    );
  }

  /** The rows of its nodes. */
  rows(): Promise<{ node_id: number; intent: string; state: string; reason: string | null }[]> {
    return this.gateway.bench.rows(
      'select node_id::int, intent, state, reason from machine_nodes where machine_id = $1 order by node_id',
      [this.id],
    );
  }

  async row(): Promise<Record<string, unknown>> {
    const [row] = await this.gateway.bench.rows<Record<string, unknown>>('select * from machines where id = $1', [
      this.id,
    ]);
    return row ?? {};
  }
}

interface PlacedRow {
  broker: string;
  intent: string;
  incarnation: number;
  state: string;
}

/** An artifact. Its content is its name, its processor, and its release if it has one. */
export interface PublishedArtifact {
  name: string;
  arch: string;
  release?: string;
  superseded?: boolean;
  over?: string;
}

/** Writes a manifest with these artifacts. Returns their hashes by their contents. */
export async function publishArtifacts(
  { directory }: GatewayUnderTest,
  ...artifacts: PublishedArtifact[]
): Promise<Record<string, string>> {
  const folder = join(directory, 'artifacts');
  await mkdir(folder, { recursive: true });
  const named = artifacts.map(({ release, ...artifact }) => {
    const content = [artifact.name, artifact.arch, ...(release === undefined ? [] : [release])].join(' ');
    return { ...artifact, content, sha256: sha256(content).toString('hex'), bytes: content.length };
  });
  for (const { sha256: hash, content } of named) await writeFile(join(folder, hash), content);
  const manifest = { artifacts: named.map(({ content, ...artifact }) => ({ ...artifact, entry: `${content}.js` })) };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return Object.fromEntries(named.map(({ content, sha256: hash }) => [content, hash]));
}
