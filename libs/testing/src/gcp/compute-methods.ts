import { fill, type ComputeKinds } from './compute-kinds.js';
import type { Work } from './compute-operations.js';
import {
  BASE,
  inFull,
  invalid,
  linkOf,
  overlap,
  Refusal,
  regionOf,
  type Call,
  type Resource,
} from './compute-places.js';
import { fingerprint, type ComputeStore, type Entry } from './compute-store.js';

/** The effect when the operation is done, or more. */
type Change = (() => void) | Partial<Work>;

/** What the methods that change something do. */
export class ComputeMethods {
  /** The networks whose peerings an operation changes now. */
  private readonly peering = new Set<string>();

  constructor(
    private readonly store: ComputeStore,
    private readonly kinds: ComputeKinds,
  ) {}

  /** Throws the refusal of the request. */
  work(call: Call): Work {
    if (call.verb === 'insert') return this.insert(call);
    const target = this.store.get(call.link);
    const change = this.changes[call.verb]!(target, call);
    const work = { type: /\.(networks|firewalls)\.(?!delete)/.test(call.id) ? call.id : call.verb, target };
    return {
      ...work,
      steps: [],
      ...(typeof change === 'function' ? { steps: [undefined, undefined, change] } : change),
    };
  }

  private insert(call: Call): Work {
    const entries = this.kinds.made(call);
    const advance = (step: 0 | 1 | 2) => () => entries.forEach((entry) => this.store.advance(entry, step));
    const accept = (): void => entries.forEach((entry) => this.store.entries.set(entry.link, entry));
    return { type: 'insert', target: entries[0]!, accept, steps: [advance(0), advance(1), advance(2)] };
  }

  /** With what goes together with it. */
  remove({ link, resource }: Entry): void {
    const attached = (resource.disks ?? []).filter((disk: Resource) => disk.autoDelete);
    const ownRanges = this.store
      .of('subnetworks')
      .filter((one) => one.isAutomatic && one.resource.network === resource.selfLink);
    for (const disk of attached) this.store.entries.delete(linkOf(disk.source));
    for (const subnetwork of ownRanges) this.store.entries.delete(subnetwork.link);
    for (const { members } of this.store.of('instanceGroups')) members.delete(link);
    this.store.entries.delete(link);
  }

  private readonly changes: Record<string, (entry: Entry, call: Call) => Change> = {
    delete: (entry) => {
      const isInstance = entry.collection === 'instances';
      if (!isInstance) this.kinds.checkUnused(entry);
      const begin = (): void => void (isInstance && (entry.resource.status = 'STOPPING'));
      return { accept: () => (entry.isBusy = true), steps: [begin, undefined, () => this.remove(entry)] };
    },
    createSnapshot: ({ link }, call) => {
      const { accept, steps } = this.insert({ ...call, ...SNAPSHOT, body: { ...call.body, sourceDisk: BASE + link } });
      return { accept: accept!, steps };
    },
    patch: ({ resource }, { body, project }) => {
      matches(resource.fingerprint, body.fingerprint);
      const full = inFull(body, project);
      this.kinds.check(full, project);
      return () => Object.assign(resource, full, resource.fingerprint && { fingerprint: fingerprint() });
    },
    setLabels: ({ resource, collection }, { body: { labels, labelFingerprint } }) => {
      matches(resource.labelFingerprint, labelFingerprint);
      const end = (): void => {
        Object.assign(resource, { labels, labelFingerprint: fingerprint() });
        if (labels === undefined) delete resource.labels;
      };
      return { steps: [undefined, undefined, end], isDoneAtOnce: collection !== 'instances' };
    },
    resize: ({ resource }, { body: { sizeGb } }) => {
      if (Number(sizeGb) <= Number(resource.sizeGb))
        throw invalid('sizeGb', sizeGb, `The new size must be larger than the existing size '${resource.sizeGb}' GB.`);
      return () => (resource.sizeGb = String(sizeGb));
    },
    start: ({ resource, link }, { scope }) => {
      if (resource.status === 'RUNNING') return () => undefined;
      checkStopped(resource, link);
      const end = (): void => {
        for (const config of configsOf(resource)) if (!config.natIP) this.kinds.fillAccess(config, regionOf(scope));
        resource.status = 'RUNNING';
      };
      return {
        accept: () => (resource.status = 'PROVISIONING'),
        steps: [() => (resource.status = 'STAGING'), undefined, end],
      };
    },
    stop: ({ resource }) => {
      const isReserved = (ip: string): boolean => this.store.of('addresses').some((one) => one.resource.address === ip);
      const end = (): void => {
        for (const config of configsOf(resource)) if (!isReserved(config.natIP)) delete config.natIP;
        resource.status = 'TERMINATED';
      };
      return { steps: [() => (resource.status = 'STOPPING'), undefined, end] };
    },
    setMachineType: ({ resource, link }, call) => {
      checkStopped(resource, link);
      this.kinds.checkMachineType(call.body.machineType, call);
      return () => (resource.machineType = BASE + linkOf(call.body.machineType, call.project));
    },
    attachDisk: ({ resource }, { body, scope, project }) => {
      const disk = inFull(body, project);
      this.kinds.checkAttachable(disk.source, scope);
      const index = 1 + Math.max(-1, ...resource.disks.map((one: Resource) => one.index));
      fill(disk, 'attachedDisk', { index, deviceName: `persistent-disk-${index}` });
      return { accept: () => resource.disks.push(disk) };
    },
    detachDisk: ({ resource }, { query }) => {
      const name = query.get('deviceName');
      const disk = resource.disks.find(({ deviceName }: Resource) => deviceName === name);
      if (!disk) throw invalid('deviceName', name, `No attached disk found with device name '${name}'.`);
      if (disk.boot) checkStopped(resource, resource.selfLink);
      return () => (resource.disks = resource.disks.filter((one: Resource) => one !== disk));
    },
    addAccessConfig: ({ resource }, { query, body, scope }) => {
      const one = interfaceOf(resource, query);
      if (one.accessConfigs?.length)
        throw invalid('networkInterface', one.name, 'At most one access config currently supported.');
      const config = { ...body };
      this.kinds.fillAccess(config, regionOf(scope));
      return { accept: () => (one.accessConfigs = [config]) };
    },
    deleteAccessConfig: ({ resource }, { query }) => {
      const [one, name] = [interfaceOf(resource, query), query.get('accessConfig')];
      if (one.accessConfigs?.[0]?.name !== name) throw invalid('accessConfig', name, 'There is no such access config.');
      return () => delete one.accessConfigs;
    },
    addInstances: ({ members, resource }, { body, project, scope }) => {
      const instances = body.instances.map(({ instance }: Resource) => this.store.get(linkOf(instance, project)));
      const stranger = instances.find(({ link }: Entry) => members.has(link) || !link.includes(`/${scope}/`));
      if (stranger)
        throw new Refusal(400, 'memberAlreadyExists', `Instance '${stranger.link}' is a member, or in another zone.`);
      return () => {
        for (const { link } of instances) members.add(link);
        resource.network ??= instances[0].resource.networkInterfaces[0].network;
      };
    },
    removeInstances: ({ members }, { body, project }) => {
      const links = body.instances.map(({ instance }: Resource) => linkOf(instance, project));
      const stranger = links.find((link: string) => !members.has(link));
      if (stranger) throw new Refusal(400, 'memberNotFound', `Instance '${stranger}' is not a member of the group.`);
      return () => links.forEach((link: string) => members.delete(link));
    },
    addPeering: ({ resource }, { body, project }) => {
      const peering = inFull(body.networkPeering, project);
      if (resource.peerings?.some((one: Resource) => one.name === peering.name || one.network === peering.network))
        throw invalid('networkPeering.name', peering.name, 'There is already a peering with this name or network.');
      const theirs = this.kinds.rangesOf(peering.network).map((one) => one.resource.ipCidrRange);
      const ours = this.kinds.rangesOf(resource.selfLink).map((one) => one.resource.ipCidrRange);
      const clash = ours.find((range) => theirs.some((other) => overlap(range, other)));
      const text = `An IP range in the peer network overlaps with an IP range (${clash}) in the local network.`;
      if (clash) throw new Refusal(400, 'badRequest', text);
      return this.withPeering(resource, peering.network, (before) => [
        ...before,
        { exchangeSubnetRoutes: true, ...peering },
      ]);
    },
    removePeering: ({ resource, link }, { body: { name } }) => {
      const gone = resource.peerings?.find((one: Resource) => one.name === name);
      if (!gone) throw invalid('name', name, `There is no peering with this name in the network '${link}'.`);
      return this.withPeering(resource, gone.network, (before) => before.filter((one) => one.name !== name));
    },
  };

  /** One operation on peerings at a time, for each of the two networks. */
  private withPeering(network: Resource, peer: string, after: (before: Resource[]) => Resource[]): Partial<Work> {
    const both = [network.selfLink, peer];
    const text = 'There is a peering operation in progress on the local or peer network. Try again later.';
    if (both.some((one) => this.peering.has(one))) throw new Refusal(400, 'badRequest', text);
    const end = (): void => {
      network.peerings = after(network.peerings ?? []);
      if (network.peerings.length === 0) delete network.peerings;
      both.forEach((one) => this.peering.delete(one));
    };
    return { accept: () => both.forEach((one) => this.peering.add(one)), steps: [undefined, undefined, end] };
  }
}

const SNAPSHOT = { scope: 'global', collection: 'snapshots' };

const configsOf = ({ networkInterfaces }: Resource): Resource[] =>
  networkInterfaces.flatMap((one: Resource) => one.accessConfigs ?? []);

function interfaceOf({ networkInterfaces }: Resource, query: URLSearchParams): Resource {
  const name = query.get('networkInterface');
  const networkInterface = networkInterfaces.find((one: Resource) => one.name === name);
  if (!networkInterface) throw invalid('networkInterface', name, 'The instance has no such network interface.');
  return networkInterface;
}

function matches(fingerprint: unknown, expected: unknown): void {
  const text = 'Fingerprint either invalid or the resource has changed.';
  if (fingerprint !== undefined && fingerprint !== expected) throw new Refusal(412, 'conditionNotMet', text);
}

function checkStopped({ status }: Resource, link: string): void {
  const text = `Invalid resource usage: 'The instance '${link}' must be stopped.'.`;
  if (status !== 'TERMINATED') throw new Refusal(400, 'invalidResourceUsage', text);
}
