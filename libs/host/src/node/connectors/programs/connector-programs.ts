import { join } from 'node:path';
import type { ConnectorsProgram } from '../../../connectors/connectors.runtime.js';
import type { JsonLog } from '../../../os/json-log.js';
import type { ConnectorInstanceId, NodeConnectors, NodeSpec } from '@libs/domain';
import { ArtifactStore } from '../../artifacts/artifact-store.js';
import type { GatewayClient } from '../../gateway/gateway-client.js';
import { ConnectorFolders } from './connector-folders.js';
import { neededParts, pluginOf, STORE, usesPlugin } from './connector-parts.js';
import { PartsReconciler } from './parts-reconciler.js';

/** In the directory of the node. */
const DIRECTORY = 'connectors-program';

export interface ConnectorProgramsOptions {
  /** Absolute path of the node's directory. */
  dir: string;
  /** SHA-256 of the artifact of the agent. */
  agent: string;
  /** Absolute path of the folder with the files of this artifact. */
  agentFolder: string;
  client: Pick<GatewayClient, 'artifacts' | 'parts'>;
  authorization: () => string;
  log: JsonLog;
  /** Called when a part has come or has failed. */
  onChange: () => void;
}

/** The program of the connectors on a node whose agent comes from an artifact. Each plugin is fetched when a connector uses it. */
export class ConnectorPrograms {
  private readonly folders: ConnectorFolders;
  private readonly parts: PartsReconciler;
  private missing: ReadonlyMap<ConnectorInstanceId, string | null> = new Map();

  constructor({ dir, agent, agentFolder, client, authorization, log, onChange }: ConnectorProgramsOptions) {
    this.folders = new ConnectorFolders(join(dir, DIRECTORY), agentFolder, agent);
    const store = new ArtifactStore(this.folders.archives, client.artifacts(authorization));
    const list = (signal: AbortSignal) => client.parts(agent, authorization(), signal);
    this.parts = new PartsReconciler(this.folders, store, list, log, onChange);
  }

  /** Fetches what the connectors need, until the signal aborts. Needs the credential of the agent. */
  run(signal: AbortSignal): Promise<void> {
    return this.parts.run(signal);
  }

  /**
   * The program with which the connectors run now. What it lacks is fetched meanwhile. Null: the node has no program that could
   * start.
   */
  async choose({ broker }: Pick<NodeSpec, 'broker'>, connectors: NodeConnectors): Promise<ConnectorsProgram | null> {
    const needed = neededParts(broker.driver, connectors);
    this.parts.want(needed);
    const folder = await this.folders.choose(needed);
    const missing = new Set((folder?.missing ?? needed).map(({ name }) => name));
    const users = connectors.instances.filter((connector) => usesPlugin(broker.driver, connector));
    const absent = users.filter((connector) => folder === null || missing.has(pluginOf(connector).name));
    const reasonFor = (connector: (typeof users)[number]): string | null =>
      (folder === null ? this.reason : null) ?? this.parts.reasonFor(pluginOf(connector));
    this.missing = new Map(absent.map((connector) => [connector.instance_id, reasonFor(connector)]));
    return folder && { entry: folder.entry, absent: absent.map(({ instance_id }) => instance_id) };
  }

  /** No connector runs. Nothing is fetched. */
  rest(): void {
    this.parts.want([]);
    this.missing = new Map();
  }

  /** The connectors run with this program. Deletes the programs of earlier agents, if it is the newest one. */
  keepOnly({ entry }: ConnectorsProgram): Promise<void> {
    return this.folders.removeOthers(entry);
  }

  /** The instances without their plugin at the last choice, and why. Null: the plugin is being fetched. */
  get absent(): ReadonlyMap<ConnectorInstanceId, string | null> {
    return this.missing;
  }

  /** Why no program could start at the last choice. Null: the program is being fetched. */
  get reason(): string | null {
    return this.parts.reasonFor(STORE);
  }
}
