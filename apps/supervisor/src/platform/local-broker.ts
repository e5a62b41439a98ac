import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findNatsServer } from '@libs/cloud';
import { BROKER_RELEASES, type BrokerDriver } from '@libs/domain';
import { ConfigInvalid } from '@libs/domain/settings';
import type { SupervisorConfig } from '../config.js';

const ASK_TIMEOUT_MS = 10_000;
const HOW_TO_GET = 'Run "npm run broker:nats", or name one by NATS_SERVER_BIN.';

/** The broker of new deployments, and the paths of the broker binaries on this machine. */
export class LocalBroker {
  private constructor(
    readonly driver: BrokerDriver,
    /** Release of the broker, stored in nodes and configurations. */
    readonly release: string,
    readonly binaries: Partial<Record<BrokerDriver, string>>,
  ) {}

  /**
   * Selects the driver of the settings, else the first available one: nats, embedded.
   * @throws ConfigInvalid when a forced or named broker is missing
   */
  static async find(config: SupervisorConfig): Promise<LocalBroker> {
    const { LOCAL_BROKER: wanted, NATS_SERVER_BIN: given, LANDLORD_DATA_DIR: dataDir, searchPath: path } = config;
    const binary = await findNatsServer({ given, dataDir, path });
    if (given !== undefined && binary === null) throw invalid('NATS_SERVER_BIN', `${given} cannot be run.`);
    if (wanted === 'nats' && binary === null)
      throw invalid('LOCAL_BROKER', `is nats, but there is no nats-server. ${HOW_TO_GET}`);
    // Existing nats nodes need the binary, also when new nodes use another driver.
    const binaries = binary === null ? {} : { nats: binary };
    if (binary === null || wanted === 'embedded')
      return new LocalBroker('embedded', BROKER_RELEASES.embedded ?? '', binaries);
    return new LocalBroker('nats', await releaseOf(binary), binaries);
  }
}

/** `nats-server: v2.9.10` */
async function releaseOf(binary: string): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: ASK_TIMEOUT_MS }).catch(
    (cause: unknown) => {
      throw invalid('NATS_SERVER_BIN', `${binary} does not tell its version. ${HOW_TO_GET}`, { cause });
    },
  );
  const [, release] = /v?(\d+\.\d+\.\d+\S*)/.exec(stdout) ?? [];
  if (release === undefined) throw invalid('NATS_SERVER_BIN', `${binary} is not a nats-server. ${HOW_TO_GET}`);
  return release;
}

const invalid = (name: string, expected: string, options?: ErrorOptions): ConfigInvalid =>
  new ConfigInvalid([{ name, expected }], options);
