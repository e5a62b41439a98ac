import type { FakeCompute } from '@libs/testing';
import type { ContractKind } from '../../../libs/cloud/test/provider-contract-specs.fixture.js';

/** The collection of the main part of each kind. */
const COLLECTIONS: Partial<Record<ContractKind, string>> = {
  ...{ network: 'networks', firewall: 'firewalls', node: 'instances', address: 'addresses', snapshot: 'snapshots' },
  ...{ load_balancer: 'healthChecks', service_attachment: 'subnetworks', restored_volume: 'disks' },
};

interface Described {
  kind: string;
  name: string;
  part: string;
}

const readJson = (text: unknown): Partial<Described> => {
  try {
    return JSON.parse(String(text)) as Partial<Described>;
  } catch {
    return {};
  }
};

const isMain = (description: unknown, kind: string, name: string): boolean => {
  const read = readJson(description);
  return read.kind === kind && read.name === name && read.part === kind;
};

/** How often Google has created the main part of the resource, and how many there are now. A node can also be only its disk. */
export function countAtGoogle(compute: FakeCompute, kind: ContractKind, name: string): { made: number; left: number } {
  if (kind === 'network_peering') return countPeerings(compute, name);
  const collection = COLLECTIONS[kind] ?? '';
  const bodies = compute.requests.map(({ body }) => (body ?? {}) as { name?: string; description?: string });
  const names = new Set(
    bodies.filter(({ description }) => isMain(description, kind, name)).map((one) => one.name ?? ''),
  );
  const creations = [...names].reduce((sum, one) => sum + compute.creations(collection, one), 0);
  const remaining = compute.resources(collection).filter((one) => isMain(one['description'], kind, name)).length;
  const disks = compute.resources('disks').filter(({ description }) => {
    const read = readJson(description);
    return kind === 'node' && read.kind === kind && read.name === name;
  });
  return { made: creations, left: remaining || disks.length };
}

function countPeerings(compute: FakeCompute, name: string): { made: number; left: number } {
  const requests = compute.requests.filter(
    ({ id, status, body }) =>
      id === 'compute.networks.addPeering' &&
      status === 200 &&
      (body as { networkPeering: { name: string } }).networkPeering.name === name,
  );
  const peerings = compute.resources('networks').flatMap((one) => (one['peerings'] ?? []) as { name: string }[]);
  return { made: requests.length, left: peerings.filter((one) => one.name === name).length };
}
