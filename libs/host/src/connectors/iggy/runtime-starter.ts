import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { NodeConnector } from '@libs/domain';
import type { JsonLog } from '../../os/json-log.js';
import { pluginsName, type NodeHome } from '../../control/node-home.js';
import { writePrivateFile } from '../../os/private-file.js';
import { CONNECTORS_FILES } from '../connectors-files.js';
import { IggyConfigProvider } from './iggy-config-provider.js';
import { renderIggyConnectors } from './iggy-connectors-config.js';
import type { IggyWay } from './iggy-access.js';
import type { RuntimeProgram } from './iggy-part.js';
import { RuntimeProcess, type RuntimeEvents } from './runtime-process.js';

/** Starts iggy-connectors, and serves its configurations. */
export class RuntimeStarter {
  /** The key of the API of the runtime. */
  readonly apiKey = randomBytes(24).toString('hex');
  private readonly providerKey = randomBytes(24).toString('hex');
  private readonly provider = new IggyConfigProvider(this.providerKey);
  private providerUrl: string | null = null;

  constructor(
    private readonly home: NodeHome,
    private readonly log: JsonLog,
  ) {}

  /** The connectors that the runtime finds at its start and at restarts of them. */
  serve(instances: NodeConnector[]): void {
    this.provider.setConnectors({ want: 'running', restart: 0, instances });
  }

  async start(program: RuntimeProgram, way: IggyWay, events: RuntimeEvents): Promise<RuntimeProcess> {
    const { home } = this;
    this.providerUrl ??= await this.provider.listen();
    const { config, environment } = renderIggyConnectors(home, {
      brokerAddress: `${way.tcp.host}:${way.tcp.port}`,
      ...{ apiKey: this.apiKey, providerUrl: this.providerUrl, providerKey: this.providerKey },
    });
    const files = {
      configFile: CONNECTORS_FILES.pluginsConfig(home),
      environmentFile: CONNECTORS_FILES.pluginsEnvironment(home),
    };
    await mkdir(CONNECTORS_FILES.pluginsState(home), { recursive: true, mode: 0o700 });
    await writePrivateFile(files.configFile, config);
    await writePrivateFile(files.environmentFile, environment);
    const place = { program: program.path, libraries: program.libraries, name: pluginsName(home), dir: home.dir };
    return RuntimeProcess.start({ ...place, ...files }, this.log, events);
  }

  async close(): Promise<void> {
    await this.provider.close().catch(() => undefined);
  }
}
