import { CloudError } from '../../cloud-error.js';
import type { NodeToPlace } from '@libs/domain';
import { firstBootScript } from '../../driver/first-boot.js';
import { isLocal } from '../../driver/reserved-machines.js';
import type { NodeResourceSpec } from '../../resource-specs.js';
import { tagOf } from '../gcp-firewalls.js';
import { baseName, gcpName, scopeOf } from '../gcp-names.js';
import type { GcpInstance } from '../gcp-shapes.js';
import type { GcpWork } from '../gcp-work.js';
import { SUBNET } from '../network/gcp-vpcs.js';
import { DATA_DEVICE, DISK, diskLink, diskTypeOf, type NodeDisks } from './node-disks.js';
import { gcpProcessorOf, imagePath, type GcpNodeSettings } from './node-settings.js';

const KIND = 'node';
/** The part that remembers the type that the instance has or gets. */
export const WANTED_TYPE = 'type';
/** The part that remembers the image of the boot disk: Google does not show it. */
export const IMAGE = 'image';
const FULL = 'full';
/** A zone without capacity for a type is not asked again for this time. */
const FULL_FOR_MS = 3 * 60_000;
const ROOT_GB = '16';
/** The beginning of the paths of local disks on their instance. */
const LOCAL_DISKS = '/dev/disk/by-id/google-local-nvme-ssd-';
const [STOP, RESIZE, START] = ['stop', 'change of the type', 'start'];

export interface Launch {
  spec: NodeResourceSpec;
  node: NodeToPlace;
  /** The whole name. */
  zone: string;
  machineType: string;
}

export const instanceName = (installation: string, name: string): string => gcpName(installation, KIND, name);

/** The instances of nodes. */
export class NodeInstances {
  constructor(
    private readonly settings: GcpNodeSettings,
    private readonly disks: NodeDisks,
  ) {}

  /**
   * The type for a new instance in the zone: the one that was asked for last, or the best one. @throws CloudError `capacity` when the zone
   * has refused all of them in the last minutes
   */
  typeFor(work: GcpWork, spec: NodeResourceSpec, zone: string): string {
    const types = this.typesOf(spec);
    const [first] = types;
    if (first === undefined)
      throw new CloudError(
        { code: 'invalid' },
        `Google Cloud has no machine type for nodes of the size ${spec.variant}: see GCP_PROCESSORS`,
      );
    const type = types.find((one) => !work.isRecent(`${FULL} ${one} ${zone}`, FULL_FOR_MS));
    if (type !== undefined) return type;
    throw new CloudError(
      { code: 'capacity', what: first, zone },
      `Google Cloud has no capacity for ${types.join(', ')} in ${zone}`,
    );
  }

  /**
   * Creates the instance. True: the instance exists. In a zone without capacity for the type the call fails with `capacity`, so that
   * the caller can try another zone. A caller that returns to the zone gets the next type.
   */
  async launch(work: GcpWork, { spec, node, zone, machineType }: Launch): Promise<boolean> {
    if (work.id(WANTED_TYPE) !== machineType) await work.note(WANTED_TYPE, machineType);
    const path = `${work.api.zonal(zone)}/instances/${instanceName(work.tags.installation, work.key.name)}`;
    const asked = { what: machineType, zone };
    const disk = isLocal(spec.storage.type) ? null : this.disks.pathFor(work, zone);
    if (disk !== null && work.id(DISK) !== disk) {
      const isAlone = (await work.api.find(path)) === null;
      if (isAlone && !(await this.disks.makeRoom(work, disk))) return false;
      await work.note(DISK, disk);
    }
    const body = (): Promise<object> => this.order(work, { spec, node, zone, machineType });
    const plan = { part: KIND, path, body, hasLabels: true, asked };
    if (!(await this.noting(work, asked, work.bring(plan)))) return false;
    for (const part of work.partsOf(`${FULL} `)) await work.drop(part);
    return true;
  }

  /**
   * Whether neither the creation nor a change runs. Asked before a look at the instance, so that the look shows how they have ended.
   * @throws CloudError `capacity` like `launch`, when the creation has failed so
   */
  async settled(work: GcpWork): Promise<boolean> {
    const zone = baseName(scopeOf(work.id(KIND) ?? ''));
    if (!(await this.noting(work, { what: work.id(WANTED_TYPE) ?? '', zone }, work.settledCreation(KIND))))
      return false;
    for (const what of [STOP, RESIZE, START]) if (!(await work.settled(what))) return false;
    return this.disks.settled(work);
  }

  /**
   * Does the next step towards a running instance of the wanted type. True: nothing is left to do. An instance with local disks is never
   * stopped, because a stop deletes its data.
   */
  async bring(work: GcpWork, instance: GcpInstance, spec: NodeResourceSpec): Promise<boolean> {
    const current = baseName(instance.machineType ?? '');
    const wanted = this.wantedType(spec, current);
    if (wanted !== current && isLocal(spec.storage.type))
      throw new CloudError(
        { code: 'invalid' },
        'an instance with local disks cannot change its type without losing its data',
      );
    if (work.id(WANTED_TYPE) !== wanted) await work.note(WANTED_TYPE, wanted);
    if (instance.status === 'RUNNING' && wanted === current) return true;
    await this.step(work, instance, wanted);
    return false;
  }

  /** Before another instance of the node. Otherwise the end of an earlier creation or deletion would count for the next instance. */
  async forget(work: GcpWork): Promise<void> {
    await work.forgetPart(KIND);
    for (const part of [WANTED_TYPE, IMAGE, ...work.partsOf(`${FULL} `)]) await work.drop(part);
  }

  private async noting(work: GcpWork, asked: { what: string; zone: string }, call: Promise<boolean>): Promise<boolean> {
    return call.catch(async (error: unknown) => {
      if (!(error instanceof CloudError) || error.code !== 'capacity') throw error;
      await work.note(`${FULL} ${asked.what} ${asked.zone}`, asked.zone);
      // An operation that failed does not say what it was asked for.
      throw new CloudError({ code: 'capacity', ...asked }, error.message, { cause: error });
    });
  }

  /** Google changes the type of a stopped instance only, and says TERMINATED of one that is stopped. */
  private async step(work: GcpWork, { status, machineType = '', zone = '' }: GcpInstance, wanted: string) {
    if (status === 'RUNNING') await this.change(work, STOP, 'stop');
    if (status !== 'TERMINATED') return;
    if (baseName(machineType) === wanted) await this.change(work, START, 'start');
    else {
      const type = `${work.api.zonal(baseName(zone))}/machineTypes/${wanted}`;
      await this.change(work, RESIZE, 'setMachineType', { machineType: type });
    }
  }

  /** The next call sees whether the change is complete. */
  private async change(work: GcpWork, what: string, verb: string, body?: object): Promise<void> {
    const path = work.id(KIND) ?? '';
    await work.change(what, path, (requestId) =>
      work.api.post(`${path}/${verb}`, { query: { requestId }, ...(body && { body }) }),
    );
  }

  private typesOf({ variant, storage }: NodeResourceSpec): string[] {
    return this.settings
      .typesOf(variant, storage.type)
      .filter((type) => this.settings.processors.includes(gcpProcessorOf(type)));
  }

  /** The type of the size that fits the instance: its boot disk has programs for one processor, and its disks are of one kind. */
  private wantedType(spec: NodeResourceSpec, current: string): string {
    const types = this.typesOf(spec);
    if (types.includes(current)) return current;
    const fits = (type: string): boolean =>
      gcpProcessorOf(type) === gcpProcessorOf(current) && diskTypeOf(type) === diskTypeOf(current);
    const found = types.find(fits);
    if (found !== undefined) return found;
    throw new CloudError(
      { code: 'invalid' },
      `Google Cloud has no machine type of this size with the processor and the disks of ${current}`,
    );
  }

  private async order(work: GcpWork, { spec, node, zone, machineType }: Launch): Promise<object> {
    const { join, machines, image } = this.settings;
    if (join === null)
      throw new CloudError({ code: 'invalid' }, 'instances need an authority to trust: set AGENT_CA or TLS_CERT');
    const { api } = work;
    const subnetwork = await work.pathOfOther('network', spec.network, SUBNET);
    // The firewall must exist before an instance that it protects.
    await work.pathOfOther('firewall', spec.firewall, 'firewall');
    const token = await machines.offer(node);
    const data = work.id(DISK);
    const disks = data === null ? LOCAL_DISKS : diskLink(DATA_DEVICE);
    const sourceImage = imagePath(image, gcpProcessorOf(machineType));
    await work.note(IMAGE, sourceImage);
    const boot = {
      ...{ sourceImage, diskSizeGb: ROOT_GB },
      diskType: `${api.zonal(zone)}/diskTypes/${diskTypeOf(machineType)}`,
    };
    return {
      machineType: `${api.zonal(zone)}/machineTypes/${machineType}`,
      tags: { items: [tagOf(work.tags.installation, spec.firewall)] },
      disks: [
        { boot: true, autoDelete: true, initializeParams: boot },
        ...(data === null
          ? []
          : [this.disks.order(work, { path: data, size_gib: spec.storage.size_gib, machineType })]),
      ],
      networkInterfaces: [{ subnetwork, accessConfigs: this.accessOf(work) }],
      metadata: {
        items: [
          { key: 'startup-script', value: firstBootScript({ join, token, disks }) },
          { key: 'block-project-ssh-keys', value: 'TRUE' },
        ],
      },
      // Without a service account, no process of a node gets credentials of the project.
      serviceAccounts: [],
      scheduling: { automaticRestart: true, onHostMaintenance: 'MIGRATE' },
      shieldedInstanceConfig: { enableVtpm: true, enableIntegrityMonitoring: true, enableSecureBoot: false },
    };
  }

  /** The way to the gateway, where the customer has not made one. Clients are admitted by the firewall alone. */
  private accessOf({ api }: GcpWork): object[] {
    if (api.at.account !== null) return [];
    return [{ name: 'External NAT', type: 'ONE_TO_ONE_NAT', networkTier: 'PREMIUM' }];
  }
}
