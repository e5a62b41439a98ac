import { spawnSync } from 'node:child_process';
import type { FakeCompute } from '@libs/testing';
import type { SeenDisk } from '../clouds/cloud-disks.js';
import type { InstanceSource, SeenInstance } from '../clouds/cloud-hosts.js';

type Resource = ReturnType<FakeCompute['resources']>[number];

interface Attached {
  source: string;
  deviceName: string;
  boot?: boolean;
}

interface Rule {
  allowed: { IPProtocol: string; ports?: string[] }[];
  sourceRanges?: string[];
  targetTags?: string[];
}

/** Google says TERMINATED of an instance that is stopped. */
const STATES: Record<string, SeenInstance['state']> = { RUNNING: 'running', TERMINATED: 'stopped' };

/** Google's number of a resource: another resource can get the same name later. */
const idOf = ({ id }: Resource): string => String(id);

/** The instances and disks of the fake of Compute Engine. Their public addresses become addresses of this machine. */
export class GoogleInstances implements InstanceSource {
  private readonly addresses = new Set<string>();

  constructor(private readonly compute: FakeCompute) {}

  async instances(): Promise<SeenInstance[]> {
    return this.compute.resources('instances').map((one) => this.seen(one));
  }

  async bootScript(id: string): Promise<string> {
    const instance = this.compute.resources('instances').find((one) => idOf(one) === id);
    const items = (instance?.['metadata'] as { items: { key: string; value: string }[] } | undefined)?.items ?? [];
    return items.find(({ key }) => key === 'startup-script')?.value ?? '';
  }

  async diskIds(): Promise<string[]> {
    return this.compute.resources('disks').map(idOf);
  }

  async snapshots(): Promise<{ id: string; disk: string }[]> {
    return this.compute.resources('snapshots').map((one) => ({ id: idOf(one), disk: String(one['sourceDiskId']) }));
  }

  /** This machine gives the addresses back. */
  close(): void {
    for (const address of this.addresses) spawnSync('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo']);
  }

  private seen(instance: Resource): SeenInstance {
    const [nic] = instance['networkInterfaces'] as { networkIP: string; accessConfigs?: { natIP?: string }[] }[];
    const publicIps = (nic?.accessConfigs ?? []).flatMap(({ natIP }) => natIP ?? []);
    for (const address of publicIps) this.bring(address);
    return {
      ...{ id: idOf(instance), private_ip: nic?.networkIP ?? '', public_ips: publicIps },
      state: STATES[String(instance['status'])] ?? 'other',
      ports: this.ports(((instance['tags'] as { items?: string[] } | undefined)?.items ?? [])[0] ?? ''),
      disks: (instance['disks'] as Attached[]).filter(({ boot }) => !boot).flatMap((one) => this.disk(one)),
    };
  }

  private bring(address: string): void {
    if (this.addresses.has(address)) return;
    this.addresses.add(address);
    spawnSync('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
  }

  /** The ports that a rule opens for everybody. */
  private ports(tag: string): number[] {
    const rules = this.compute.resources('firewalls') as unknown as Rule[];
    return rules
      .filter(
        ({ targetTags = [], sourceRanges = [] }) => targetTags.includes(tag) && sourceRanges.includes('0.0.0.0/0'),
      )
      .flatMap(({ allowed }) => allowed)
      .flatMap(({ IPProtocol, ports = [] }) => (IPProtocol === 'tcp' ? ports.map(Number) : []));
  }

  private disk({ source, deviceName }: Attached): SeenDisk[] {
    const disk = this.compute.resources('disks').find(({ selfLink }) => selfLink === source);
    if (!disk) return [];
    const snapshot = disk['sourceSnapshotId'] === undefined ? null : String(disk['sourceSnapshotId']);
    const link = `/dev/disk/by-id/google-${deviceName}`;
    return [{ id: idOf(disk), link, size_gib: Number(disk['sizeGb']), snapshot }];
  }
}
