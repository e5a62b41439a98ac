import type { JoinFiles, Processor } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import type { ReservedMachines } from '../../driver/reserved-machines.js';

/** What instances are made of. */
export interface GcpNodeSettings {
  machines: ReservedMachines;
  /** Null without the certificate of an authority: an instance could not trust the gateway. */
  join: JoinFiles | null;
  /** `<project>/<family>` of the image, with `{processor}` for `amd64` or `arm64`. */
  image: string;
  /** The processors that the installation has programs for. */
  processors: readonly Processor[];
  /** The machine types of a size and a kind of storage, the best one first. */
  typesOf: (variant: string, storage: string) => readonly string[];
}

/** Ubuntu has cloud-init, mdadm for several local disks, and one name pattern for both processors. */
export const DEFAULT_GCP_IMAGE = 'ubuntu-os-cloud/ubuntu-2404-lts-{processor}';
const IMAGE = /^([a-z][a-z0-9-]+)\/([a-z](?:[a-z0-9-]|\{processor\})*)$/;
const ARCHITECTURES = { arm64: 'arm64', x64: 'amd64' } as const satisfies Record<Processor, string>;

/** Whether the text names an image as the setting does. */
export const isGcpImage = (text: string): boolean => IMAGE.test(text);

/** The path of the newest image of the family. @throws CloudError `invalid` */
export function imagePath(image: string, processor: Processor): string {
  const [, project, family] = IMAGE.exec(image) ?? [];
  if (project === undefined || family === undefined)
    throw new CloudError({ code: 'invalid' }, `GCP_IMAGE is "${image}"`);
  return `projects/${project}/global/images/family/${family.replaceAll('{processor}', ARCHITECTURES[processor])}`;
}

/** Google's own processors have an `a` after their generation, except AMD's: `c4a`, `n4a`, and `t2a`. */
export const gcpProcessorOf = (machineType: string): Processor =>
  /^(c4a|n4a|t2a)-/.test(machineType) ? 'arm64' : 'x64';
