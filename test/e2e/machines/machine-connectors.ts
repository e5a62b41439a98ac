import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestDeployment } from '@libs/testing';
import type { WrittenArtifact } from '../../../scripts/artifacts/artifacts.mjs';
import type { MachineWorld } from './machine-world.js';

export interface SeenInstance {
  key: string;
  status: string;
  status_reason: string | null;
  metrics: { moved: number } | null;
}

/** The connectors of a deployment with one node, which is on the first host of the world. */
export class MachineConnectors {
  constructor(
    private readonly world: MachineWorld,
    private readonly deployment: TestDeployment,
  ) {}

  /** Activates a connector and gives it a configuration. Returns the outcome of the operation. The key of the instance is `key`. */
  async add(type: 'source' | 'sink', key: string, values: object): Promise<string> {
    const { world, deployment } = this;
    const body = { connector_type: type, connector_key: key, instance_key: key };
    await deployment.succeeds(await world.cloud.main().post(`${deployment.path}/connectors/activate`, body));
    const path = `${deployment.live}/configs/connector:${type}:${key}`;
    const saved = await world.cloud.runtime().post(path, { name: key, values, activate: true });
    expect(saved).toMatchObject({ status: 201 });
    return (await deployment.outcome(saved)).status;
  }

  async instance(key: string): Promise<SeenInstance | undefined> {
    const { body } = await this.world.cloud.runtime().get(`${this.deployment.live}/connectors/instances`);
    return (body as SeenInstance[]).find((one) => one.key === key);
  }

  /** The directory of the node. */
  async directory(): Promise<string> {
    const [node] = await this.deployment.nodes();
    return join(this.world.hosts[0]?.directory ?? '', 'nodes', String(node?.id));
  }

  async log(): Promise<string> {
    return readFileSync(join(await this.directory(), 'connectors.log'), 'utf8');
  }

  get artifacts(): WrittenArtifact[] {
    const text = readFileSync(join(this.world.cloud.directory, 'artifacts/manifest.json'), 'utf8');
    return (JSON.parse(text) as { artifacts: WrittenArtifact[] }).artifacts;
  }

  /** Names of the parts that the node has fetched for its connectors. */
  async fetched(): Promise<string[]> {
    const names = readdirSync(join(await this.directory(), 'connectors-program/archives'));
    return this.artifacts.filter(({ sha256 }) => names.includes(sha256)).map(({ name }) => name);
  }
}
