import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { skippedSuite } from '@libs/testing';
import { unitOf } from './unit-file.js';

/** `systemd-analyze` counts the rights of a unit: 10 is a unit without any limit. */
const HIGHEST_EXPOSURE = 4;
const hasAnalyze = spawnSync('systemd-analyze', ['security', '--help']).stdout?.includes('--offline') === true;
const describeWithSystemd = hasAnalyze ? describe : skippedSuite('systemd-analyze is missing', 'Install systemd');

const unit = (changes: Partial<Parameters<typeof unitOf>[0]> = {}): string =>
  unitOf({
    node: { node_id: 5, memory_mib: 512, cpus: 0.5 },
    user: 'landlord-node-5',
    dir: '/var/lib/landlord-machine/nodes/5',
    program: '/usr/bin/env',
    entry: '/var/lib/landlord-machine/programs/a/agent.main.js',
    flag: '--landlord-node=inst/5',
    authority: '/var/lib/landlord-machine/ca.pem',
    ...changes,
  });

describe('The unit of a node', () => {
  it('has the limits of the node, its user, and the authority of the gateway', () => {
    const lines = unit().split('\n');

    expect(lines).toEqual(
      expect.arrayContaining([
        ...['User=landlord-node-5', 'MemoryMax=512M', 'MemorySwapMax=0', 'CPUQuota=50%', 'TasksMax=1024'],
        ...['KillMode=process', 'ProtectSystem=strict', 'ReadWritePaths=/var/lib/landlord-machine/nodes/5'],
        ...['NoNewPrivileges=yes', 'IPAddressDeny=169.254.169.254 fd00:ec2::254'],
        'Environment="NODE_EXTRA_CA_CERTS=/var/lib/landlord-machine/ca.pem"',
      ]),
    );
  });

  it('has no environment without an authority', () => {
    expect(unit({ authority: null })).not.toContain('Environment=');
  });

  describeWithSystemd('for systemd', () => {
    let dir: string;
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'landlord-unit-'));
      await writeFile(join(dir, 'landlord-node-5.service'), unit());
    });
    afterEach(() => rm(dir, { recursive: true, force: true }));

    const analyze = (...args: string[]) =>
      spawnSync('systemd-analyze', [...args, join(dir, 'landlord-node-5.service')], { encoding: 'utf8' });

    it('is valid', () => {
      expect(analyze('verify', '--man=no')).toMatchObject({ status: 0, stderr: '' });
    });

    it('has few rights', () => {
      const { stdout } = analyze('security', '--offline=true', '--no-pager');
      const exposure = /Overall exposure level for landlord-node-5\.service: ([\d.]+)/.exec(stdout)?.[1];

      expect(Number(exposure)).toBeGreaterThan(0);
      expect(Number(exposure)).toBeLessThanOrEqual(HIGHEST_EXPOSURE);
    });
  });
});
