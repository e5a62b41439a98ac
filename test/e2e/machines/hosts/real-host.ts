import type { MachineId } from '@libs/domain';
import { eventually, type TestCloud } from '@libs/testing';
import { ContainerHost } from '../../../../libs/host/test/machine/container.fixture.js';
import type { Bridge, HostNetwork } from './bridge.js';

const DIRECTORY = '/var/lib/landlord-machine';
export const MACHINE_UNIT = 'landlord-machine.service';

/** What `landlord machines token --json` prints. */
export interface PrintedToken {
  line: string;
  token: string;
}

/** A host with systemd and an own network that has joined by the printed line. */
export class RealHost {
  private constructor(
    readonly id: MachineId,
    readonly zone: string,
    readonly system: ContainerHost,
    readonly network: HostNetwork,
    private readonly cloud: TestCloud,
    /** From the start of the boot until the gateway had a report, in milliseconds. */
    readonly joinedInMs: number,
  ) {}

  static async join(cloud: TestCloud, bridge: Bridge, zone: string, printed: PrintedToken): Promise<RealHost> {
    const network = bridge.connect();
    const began = performance.now();
    const system = await ContainerHost.boot(network.path);
    try {
      // The disk of the test is smaller than the volumes of its deployments.
      const line = printed.line.replace(/\)$/, ' --memory 16384 --disk 200)');
      const { status, stdout, stderr } = await system.runWith(`${printed.token}\n`, 'sh', '-c', line);
      expect(`${status} ${stdout} ${stderr}`).toMatch(/^0 This host is now a machine of Landlord\.\n/);
      const row = await eventually('the machine reports', async () => {
        const [found] = await cloud.rows<{ id: string }>(
          'select id from machines where hostname = $1 and last_seen_at is not null',
          [system.hostname],
        );
        return found ?? null;
      });
      return new RealHost(Number(row.id), zone, system, network, cloud, performance.now() - began);
    } catch (error) {
      await system.destroy();
      network.close();
      throw error;
    }
  }

  /** Waits until the machine has reported after this call. */
  async reports(withinMs = 60_000): Promise<void> {
    const [{ now = '' } = {}] = await this.cloud.rows<{ now: string }>('select now()::text as now');
    await eventually(
      `machine ${this.id} reports`,
      async () => {
        const sql = 'select 1 from machines where id = $1 and last_seen_at > $2::timestamptz';
        return (await this.cloud.rows(sql, [this.id, now])).length > 0;
      },
      withinMs,
    );
  }

  /** A loss of power and a start. */
  async reboot(): Promise<void> {
    await this.system.cutPower();
    await this.system.start();
  }

  /** What of any node exists on the host: units, users and directories. */
  leftovers(): string[] {
    const units = this.system.run('systemctl', 'list-units', '--all', '--plain', '--no-legend', 'landlord-node-*');
    const users = this.system.run('grep', '^landlord-node-', '/etc/passwd');
    const directories = this.system.run('ls', `${DIRECTORY}/nodes`);
    return [units, users, directories].flatMap(({ stdout }) => stdout.split('\n').filter(Boolean));
  }

  async destroy(): Promise<void> {
    await this.system.destroy();
    this.network.close();
  }
}
