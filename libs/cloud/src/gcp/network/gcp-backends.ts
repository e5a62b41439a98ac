import type { MemoryKey, Remembered } from '../../driver/driver-memory.js';
import type { BalancerListener } from '../../resource-specs.js';
import type { GcpApi } from '../gcp-api.js';
import { gcpName, pathOf, scopeOf, baseName } from '../gcp-names.js';
import type { GcpBackendService, GcpHealthCheck } from '../gcp-shapes.js';
import { numberOf, type GcpWork } from '../gcp-work.js';

const KIND = 'load_balancer';
/** The beginning of the parts with the groups of instances, by zone. */
export const GROUP = 'group ';
const MEMBERS = 'members ';
/** The part that is there while a node has no instance. */
export const WAITING = 'waits for an instance';
const BACKEND = 'backend ';
const PORT = 'port of the health check';
/** Stands for an empty list in the memory. */
const NONE = '-';

export type Scheme = 'EXTERNAL' | 'INTERNAL';

/** The part with the path of the backend service of a protocol. */
export const backendPart = (scheme: Scheme, protocol: string): string => `${BACKEND}${scheme} ${protocol}`;

/** What is behind the forwarding rules of a balancer: a health check, a group of instances for each zone, and a service for each protocol. */
export class GcpBackends {
  /** Creates the health check, which is the main part of a balancer. True: it exists and checks the port. */
  async healthCheck(work: GcpWork, port: number): Promise<boolean> {
    const path = healthCheckPath(work.api, work.tags.installation, work.key.name);
    const check = { type: 'TCP', tcpHealthCheck: { port }, checkIntervalSec: 5, timeoutSec: 5 };
    const isNew = work.id(KIND) === null;
    if (!(await work.bring({ part: KIND, path, body: () => check }))) return false;
    if (isNew) await work.note(PORT, String(port));
    if (work.id(PORT) === String(port)) return true;
    if (!(await work.settled(PORT))) return false;
    const healthCheck = await work.api.find<GcpHealthCheck>(path);
    if (healthCheck?.tcpHealthCheck?.port !== port) {
      const body = { type: 'TCP', tcpHealthCheck: { port } };
      const send = (requestId: string) => work.api.patch(path, { query: { requestId }, body });
      if (!(await work.change(PORT, path, send))) return false;
    }
    await work.note(PORT, String(port));
    return true;
  }

  /** Puts the instances of the nodes into the groups of their zones. True: the groups exist and have these instances. */
  async groups(work: GcpWork, network: string, nodes: readonly string[]): Promise<boolean> {
    const { byZone, isComplete } = await this.instancesByZone(work, nodes);
    const isWaiting = work.partsOf(WAITING).length > 0;
    if (!isComplete && !isWaiting) await work.note(WAITING, WAITING);
    if (isComplete && isWaiting) await work.drop(WAITING);
    let isWhole = true;
    for (const [zone, members] of byZone) isWhole = (await this.group(work, { zone, network, members })) && isWhole;
    return isWhole;
  }

  /** The backend service of the protocol over all groups. True: it exists and has these groups. */
  async service(work: GcpWork, { scheme, protocol, network, groups, healthCheck }: ServicePlan): Promise<boolean> {
    const { api, key, tags } = work;
    const part = backendPart(scheme, protocol);
    const path = servicePath(api, tags.installation, key, part);
    const backends = groups.map((group) => ({ group, balancingMode: 'CONNECTION' }));
    const fixed = { loadBalancingScheme: scheme, protocol, healthChecks: [healthCheck], sessionAffinity: 'NONE' };
    const body = () => ({ ...fixed, backends, ...(scheme === 'INTERNAL' && { network }) });
    const isNew = work.id(part) === null;
    if (!(await work.bring({ part, path, body }))) return false;
    const noted = `groups of the ${part}`;
    if (isNew) await work.note(noted, groups.join(' ') || NONE);
    return this.update(work, { noted, path, groups, backends });
  }

  /** Deletes the services of a resource. True: none is left. */
  async removeServices(work: GcpWork, installation: string): Promise<boolean> {
    let isGone = true;
    for (const part of work.partsOf(BACKEND))
      isGone = (await work.discard(part, servicePath(work.api, installation, work.key, part))) && isGone;
    return isGone;
  }

  /** Deletes the services, the groups, and then the health check. True: nothing is left. */
  async remove(work: GcpWork, installation: string): Promise<boolean> {
    const { api, key } = work;
    if (!(await this.removeServices(work, installation))) return false;
    let isGone = true;
    for (const part of work.partsOf(GROUP))
      isGone = (await work.discard(part, groupPath(api, installation, key.name, part.slice(GROUP.length)))) && isGone;
    return isGone && (await work.discard(KIND, healthCheckPath(api, installation, key.name)));
  }

  /** Gives the service the groups of new zones. A group never ends before its balancer. */
  private async update(
    work: GcpWork,
    { noted, path, groups, backends }: { noted: string; path: string; groups: readonly string[]; backends: object[] },
  ): Promise<boolean> {
    if (work.id(noted) === groups.join(' ') || groups.length === 0) return true;
    if (!(await work.settled(noted))) return false;
    const { backends: present = [], fingerprint } = (await work.api.find<GcpBackendService>(path)) ?? {};
    const now = present.map(({ group = '' }) => pathOf(group)).sort();
    if (now.join() !== groups.join()) {
      const patch = { backends, ...(fingerprint && { fingerprint }) };
      const send = (requestId: string) => work.api.patch(path, { query: { requestId }, body: patch });
      if (!(await work.change(noted, path, send))) return false;
    }
    await work.note(noted, groups.join(' '));
    return true;
  }

  private async group(work: GcpWork, { zone, network, members }: { zone: string; network: string; members: Member[] }) {
    const { api } = work;
    const path = groupPath(api, work.tags.installation, work.key.name, zone);
    if (!(await work.bring({ part: `${GROUP}${zone}`, path, body: () => ({ network }) }))) return false;
    const noted = `${MEMBERS}${zone}`;
    const now = members.map(({ instance, number }) => `${instance}#${number}`).sort();
    const before = (work.id(noted) ?? '').split(' ').filter(Boolean);
    const added = now.filter((one) => !before.includes(one));
    if (!(await work.settled(noted))) return false;
    if (added.length > 0 && !(await this.add(work, noted, path, added))) return false;
    // An instance that has ended has left its group.
    if (now.join(' ') !== before.join(' ')) await work.note(noted, now.join(' '));
    return true;
  }

  private async add(work: GcpWork, what: string, group: string, members: readonly string[]): Promise<boolean> {
    const listed = await work.api.post(`${group}/listInstances`, { body: { instanceState: 'ALL' } });
    const present = ((listed as { items?: { instance?: string }[] }).items ?? []).map(({ instance = '' }) =>
      pathOf(instance),
    );
    const missing = members.map((one) => one.split('#')[0] ?? '').filter((one) => !present.includes(one));
    if (missing.length === 0) return true;
    const body = { instances: missing.map((instance) => ({ instance })) };
    return work.change(what, group, (requestId) =>
      work.api.post(`${group}/addInstances`, { query: { requestId }, body }),
    );
  }

  /** The instances of the nodes. Not complete: a node gets another instance, which does not exist yet. */
  private async instancesByZone(work: GcpWork, nodes: readonly string[]) {
    const byZone = new Map<string, Member[]>();
    let isComplete = true;
    for (const node of nodes) {
      const nodeMemory = await work.other('node', node);
      const instance = nodeMemory?.parts.get('node')?.id;
      if (!instance) {
        isComplete = isComplete && nodeMemory === null;
        continue;
      }
      const zone = baseName(scopeOf(instance));
      const number = nodeMemory?.parts.get(numberOf('node'))?.id ?? '';
      byZone.set(zone, [...(byZone.get(zone) ?? []), { instance, number }]);
    }
    return { byZone, isComplete };
  }
}

export interface ServicePlan {
  scheme: Scheme;
  protocol: string;
  /** The path of the network. */
  network: string;
  /** The paths of the groups of instances. */
  groups: readonly string[];
  healthCheck: string;
}

/** The paths of the groups of instances of a balancer, in order. */
export const groupsOf = ({ parts }: Remembered): string[] =>
  [...parts].flatMap(([part, { id }]) => (part.startsWith(GROUP) && id !== null ? [id] : [])).sort();

/** An instance, with the number that tells it from an earlier one with the same name. */
interface Member {
  instance: string;
  number: string;
}

export const nodesOf = (listeners: readonly BalancerListener[]): string[] => [
  ...new Set(listeners.flatMap(({ targets }) => targets)),
];

export const healthCheckPath = (api: GcpApi, installation: string, name: string): string =>
  `${api.regional}/healthChecks/${gcpName(installation, KIND, name)}`;

const servicePath = (api: GcpApi, installation: string, { kind, name }: MemoryKey, part: string): string =>
  `${api.regional}/backendServices/${gcpName(installation, kind, name, part)}`;

const groupPath = (api: GcpApi, installation: string, name: string, zone: string): string =>
  `${api.zonal(zone)}/instanceGroups/${gcpName(installation, KIND, name, zone)}`;
