import { createHash } from 'node:crypto';
import { placeOf } from './compute-operations.js';
import * as places from './compute-places.js';
import {
  BASE,
  FACTS,
  invalid,
  KINDS,
  lastOf,
  linkOf,
  Refusal,
  regionOf,
  type Call,
  type Resource,
} from './compute-places.js';
import { addressesOf, fingerprint, newId, now, type ComputeStore, type Entry } from './compute-store.js';

/** Makes new resources with what Google adds, and refuses those that Google refuses. */
export class ComputeKinds {
  constructor(private readonly store: ComputeStore) {}

  /** The entries of an insert. The first one is the resource itself. */
  made(call: Call): Entry[] {
    const { collection, scope, project, body } = call;
    const link = `projects/${project}/${scope}/${collection}/${body.name}`;
    if (this.store.entries.has(link)) throw new Refusal(409, 'alreadyExists', `The resource '${link}' already exists`);
    const identity = {
      kind: `compute#${singular(collection)}`,
      id: newId(),
      creationTimestamp: now(),
      selfLink: BASE + link,
    };
    const resource: Resource = { ...places.inFull(body, project), ...identity, ...placeOf(call) };
    if (FACTS.states[collection]) [resource.status] = FACTS.states[collection];
    this.check(resource, project);
    const more = this.fills[collection]?.(resource, { ...call, link }) ?? [];
    fill(resource, collection);
    return [{ link, collection, resource, isShown: false, isBusy: true, members: new Set() }, ...more];
  }

  /** Refuses a resource that names others that do not exist. */
  check(value: unknown, project: string, key = ''): void {
    if (value !== null && typeof value === 'object')
      return Object.entries(value).forEach(([name, one]) =>
        this.check(one, project, Array.isArray(value) ? key : `${key}.${name}`),
      );
    const link = linkOf(value, project);
    const kind = link.split('/').at(-2) ?? '';
    if (key === '.selfLink' || !KINDS.includes(kind) || link.includes('/global/healthChecks/')) return;
    if (/^\.networkInterfaces\.(sub)?network$/.test(key) && !this.store.entries.has(link))
      throw invalid(`resource${key}`, value, `The referenced ${singular(kind)} resource cannot be found.`);
    this.store.get(link);
  }

  private readonly fills: Record<string, (resource: Resource, call: Call) => Entry[] | void> = {
    networks: (network, { project }) => {
      if (network.autoCreateSubnetworks === undefined)
        throw invalid('resource.IPv4Range', '', 'Networks must be created in subnet mode.');
      network.selfLinkWithId = network.selfLink.replace(/[^/]+$/, network.id);
      if (network.routingConfig) network.routingConfig.bgpBestPathSelectionMode ??= 'LEGACY';
      return network.autoCreateSubnetworks ? this.automatic(network, project) : [];
    },
    subnetworks: (subnetwork) => {
      this.checkRange(subnetwork);
      subnetwork.gatewayAddress = places.gatewayOf(subnetwork.ipCidrRange);
    },
    addresses: (address) => {
      const isInside = address.addressType === 'INTERNAL';
      address.address ??= isInside ? this.privateAddress(address.subnetwork) : this.publicAddress();
      if (isInside) address.purpose ??= 'GCE_ENDPOINT';
    },
    disks: (disk, call) => this.fillDisk(disk, call),
    instances: (instance, call) => this.fillInstance(instance, call),
    snapshots: (snapshot) => {
      const { id, sizeGb } = this.store.get(linkOf(snapshot.sourceDisk)).resource;
      Object.assign(snapshot, { sourceDiskId: id, diskSizeGb: sizeGb });
    },
    forwardingRules: (rule, call) => this.fillRule(rule, call),
    backendServices: (service) => {
      if (/^HTTPS?$/.test(service.protocol)) Object.assign(service, { port: 80, portName: 'http' });
      if (!service.iap) return;
      const { oauth2ClientSecret = '', ...iap } = service.iap;
      const oauth2ClientSecretSha256 = createHash('sha256').update(String(oauth2ClientSecret)).digest('hex');
      service.iap = { oauth2ClientId: '', ...iap, oauth2ClientSecretSha256 };
    },
    healthChecks: ({ tcpHealthCheck }) => {
      if (tcpHealthCheck) tcpHealthCheck.proxyHeader ??= 'NONE';
    },
    serviceAttachments: (attachment) => {
      if (attachment.consumerRejectLists?.length === 0) delete attachment.consumerRejectLists;
      const id = { high: newId(), low: newId() };
      Object.assign(attachment, { producerForwardingRule: attachment.targetService, pscServiceAttachmentId: id });
      for (const subnetwork of attachment.natSubnets.map((one: string) => this.store.get(linkOf(one)))) {
        if (subnetwork.resource.purpose !== 'PRIVATE_SERVICE_CONNECT')
          throw invalid('resource.natSubnets[0]', subnetwork.link, 'Its purpose must be PRIVATE_SERVICE_CONNECT.');
        this.checkUnused(subnetwork);
      }
    },
  };

  /** The subnetworks of a network in auto mode. */
  private automatic({ name, selfLink: network }: Resource, project: string): Entry[] {
    return Object.entries(FACTS.regions).map(([region, byte]) => {
      const body = { name, ipCidrRange: `10.${byte}.0.0/20` };
      const call = { project, scope: `regions/${region}`, collection: 'subnetworks', body } as unknown as Call;
      const [entry] = this.made(call);
      entry!.resource.network = network;
      return { ...entry!, isAutomatic: true };
    });
  }

  private checkRange({ ipCidrRange: range, network }: Resource): void {
    const refuse = (why: string): Refusal => invalid('resource.ipCidrRange', range, why);
    if (!places.isRange(range)) throw refuse('Must be a valid CIDR address range.');
    const isAuto = this.store.entries.get(linkOf(network))?.resource.autoCreateSubnetworks === true;
    if (isAuto && places.overlap(range, '10.128.0.0/9'))
      throw refuse('Extended subnetworks in auto subnet mode networks cannot overlap with 10.128.0.0/9.');
    const peers = this.store.peersOf(network).filter((one) => this.store.peersOf(one).includes(network));
    const clash = this.rangesOf(network, ...peers).find(({ resource }) => places.overlap(range, resource.ipCidrRange));
    if (!clash) return;
    const { name, region } = clash.resource;
    throw refuse(
      `Invalid IPCidrRange: ${range} conflicts with existing subnetwork '${name}' in region '${lastOf(region)}'.`,
    );
  }

  /** The subnetworks of networks. */
  rangesOf(...networks: string[]): Entry[] {
    return this.store.of('subnetworks').filter(({ resource }) => networks.includes(resource.network));
  }

  private fillDisk(disk: Resource, { scope, project }: Call): void {
    this.checkType(disk, `${BASE}projects/${project}/${scope}/diskTypes/`);
    const image = disk.sourceImage ? places.imageOf(linkOf(disk.sourceImage, project)) : null;
    const snapshot = disk.sourceSnapshot ? this.store.get(linkOf(disk.sourceSnapshot)).resource : null;
    const least = Number((image ?? snapshot ?? { diskSizeGb: 0 }).diskSizeGb);
    disk.sizeGb = String(disk.sizeGb ?? (least || (disk.type.endsWith('pd-standard') ? 500 : 100)));
    if (Number(disk.sizeGb) < least)
      throw invalid('resource.sizeGb', disk.sizeGb, `It cannot be smaller than the size of the source (${least} GB).`);
    if (image) Object.assign(disk, { sourceImage: image.selfLink, sourceImageId: image.id });
    if (snapshot) disk.sourceSnapshotId = snapshot.id;
  }

  private checkType(disk: Resource, types: string): void {
    disk.type ??= `${types}pd-standard`;
    if (!disk.type.startsWith(types) || !/\/(pd|hyperdisk)-[a-z][a-z-]*$/.test(disk.type))
      throw invalid('resource.type', disk.type, 'The URL is malformed.');
  }

  private fillInstance(instance: Resource, call: Call): Entry[] {
    this.checkMachineType(instance.machineType, call);
    const entries: Entry[] = [];
    for (const [index, disk] of instance.disks.entries()) {
      if (disk.initializeParams) entries.push(this.bootDisk(disk, instance.name, call));
      else this.checkAttachable(disk.source, call.scope);
      fill(disk, 'attachedDisk', { index, deviceName: `persistent-disk-${index}` });
    }
    for (const [index, one] of instance.networkInterfaces.entries()) this.fillInterface(one, index, call);
    return entries;
  }

  checkMachineType(value: string, { scope, project }: Call): void {
    const [link, zone] = [linkOf(value, project), lastOf(scope)];
    const refuse = (why: string): Refusal => invalid('resource.machineType', value, why);
    if (!link.includes(`/${scope}/machineTypes/`)) throw refuse('The URL is malformed.');
    if (!places.machineType(lastOf(link)))
      throw refuse(`Machine type with name '${lastOf(link)}' does not exist in zone '${zone}'.`);
  }

  private bootDisk(disk: Resource, instance: string, call: Call): Entry {
    const {
      diskName: name = instance,
      diskType: type,
      diskSizeGb: sizeGb,
      labels,
      description,
      sourceImage,
    } = disk.initializeParams;
    const body = { name, type, sizeGb, labels, description, sourceImage: sourceImage ?? null };
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const [entry] = this.made({ ...call, collection: 'disks', body: given });
    delete disk.initializeParams;
    disk.source = entry!.resource.selfLink;
    return entry!;
  }

  /** Refuses a disk of another zone, and one that an instance has. */
  checkAttachable(source: string, scope: string): void {
    const disk = this.store.get(linkOf(source));
    if (!disk.link.includes(`/${scope}/`))
      throw invalid('resource.source', source, 'The disk must be in the same zone as the instance.');
    this.checkUnused(disk);
  }

  /** Refuses what others use, with Google's text. */
  checkUnused(entry: Entry): void {
    const [user] = this.store.usersOf(entry);
    const text = `The ${singular(entry.collection)} resource '${entry.link}' is already being used by '${user}'`;
    if (user !== undefined) throw new Refusal(400, 'resourceInUseByAnotherResource', text);
  }

  private fillInterface(one: Resource, index: number, { scope, project }: Call): void {
    const ofRegion = `projects/${project}/regions/${regionOf(scope)}/subnetworks/${lastOf(one.network ?? '')}`;
    const subnetwork = this.store.get(linkOf(one.subnetwork) || ofRegion).resource;
    Object.assign(one, { subnetwork: subnetwork.selfLink, network: subnetwork.network });
    one.networkIP = this.given(one.networkIP) ?? this.privateAddress(one.subnetwork);
    fill(one, 'networkInterface', { name: `nic${index}` });
    for (const config of one.accessConfigs ?? []) this.fillAccess(config, regionOf(scope));
  }

  /** Gives the config of an instance in the region its address: the asked one, or one of the pool. */
  fillAccess(config: Resource, region: string): void {
    const address = this.given(config.natIP);
    const reserved = this.store
      .of('addresses')
      .find((one) => one.resource.address === address && regionOf(one.link) === region);
    if (address !== undefined && !reserved)
      throw invalid(
        'natIP',
        address,
        `The specified external IP address '${address}' was not found in region '${region}'.`,
      );
    if (reserved) this.checkUnused(reserved);
    config.natIP = address ?? this.publicAddress();
    fill(config, 'accessConfig');
  }

  private fillRule(rule: Resource, { scope, project }: Call): void {
    this.checkRule(rule);
    const isInside = /^INTERNAL/.test(rule.loadBalancingScheme);
    rule.IPAddress =
      this.given(rule.IPAddress) ?? (isInside ? this.privateAddress(rule.subnetwork) : this.publicAddress());
    if (/^\d+$/.test(rule.portRange)) rule.portRange = `${rule.portRange}-${rule.portRange}`;
    // Google takes labels of a rule with setLabels only.
    delete rule.labels;
    rule.selfLinkWithId = rule.selfLink.replace(/[^/]+$/, rule.id);
    const domain = `${rule.name}.il4.${regionOf(scope)}.lb.${project}.internal`;
    if (rule.serviceLabel) rule.serviceName = `${rule.serviceLabel}.${domain}`;
  }

  private checkRule({ backendService, target, loadBalancingScheme: scheme, ...ports }: Resource): void {
    if (!backendService && !target) throw invalid('resource.target', '', 'A target or a backend service is required.');
    if (!backendService) return;
    const { resource } = this.store.get(linkOf(backendService));
    if (resource.loadBalancingScheme !== scheme)
      throw invalid('resource.loadBalancingScheme', scheme, 'It must match the backend service.');
    if (!ports.ports && !ports.portRange && !ports.allPorts) throw invalid('resource.ports', '', 'A port is required.');
  }

  /** An address, also from the link of its resource. */
  private given(value?: string): string | undefined {
    return linkOf(value) ? this.store.get(linkOf(value)).resource.address : value;
  }

  private publicAddress(): string {
    return this.freeAddress([...this.store.entries.values()], FACTS.publicRanges);
  }

  private privateAddress(subnetwork: string): string {
    const inside = [...this.store.entries.values()].filter(({ resource }) =>
      JSON.stringify(resource).includes(subnetwork),
    );
    const range = this.store.entries.get(linkOf(subnetwork))?.resource.ipCidrRange ?? '10.128.0.0/20';
    return this.freeAddress(inside, [range]);
  }

  private freeAddress(entries: Entry[], ranges: string[]): string {
    const usedAddresses = new Set(entries.flatMap(({ resource }) => [resource.address, ...addressesOf(resource)]));
    for (const range of ranges) for (const address of places.freeAddresses(range, usedAddresses)) return address;
    throw new Refusal(400, 'ipSpaceExhausted', `IP space of '${ranges.join()}' is exhausted.`);
  }
}

export const singular = (collection: string): string => collection.replace(/(?<=ss)es$|s$/, '');

/** Adds what Google adds where the resource has no value. */
export function fill(resource: Resource, kind: string, more: Resource = {}): void {
  for (const [name, value] of Object.entries({ ...FACTS.defaults[kind], ...more }))
    resource[name] ??= value ?? fingerprint();
}
