import type { JoinFiles, Processor } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import type { ReservedMachines } from '../../driver/reserved-machines.js';

/** What instances are made of. */
export interface GcpNodeSettings {
  machines: ReservedMachines;
  /** Null without the certificate of an authority: an instance could not trust the gateway. */
  join: JoinFiles | null;
  /** `<project>/<family>` of the image. `{-arm64}` stands for `-arm64` on these processors, and for nothing on the others. */
  image: string;
  /** The processors that the installation has programs for. */
  processors: readonly Processor[];
  /** The machine types of a size and a kind of storage, the best one first. */
  typesOf: (variant: string, storage: string) => readonly string[];
}

export const DEFAULT_GCP_IMAGE = 'debian-cloud/debian-12{-arm64}';
const IMAGE = /^([a-z][a-z0-9-]+)\/([a-z][a-z0-9-]*(?:\{-arm64\})?)$/;

/** Whether the text names an image as the setting does. */
export const isGcpImage = (text: string): boolean => IMAGE.test(text);

/** The path of the newest image of the family. @throws CloudError `invalid` */
export function imagePath(image: string, processor: Processor): string {
  const [, project, family] = IMAGE.exec(image) ?? [];
  if (project === undefined || family === undefined)
    throw new CloudError({ code: 'invalid' }, `GCP_IMAGE is "${image}"`);
  const named = family.replace('{-arm64}', processor === 'arm64' ? '-arm64' : '');
  return `projects/${project}/global/images/family/${named}`;
}

/** Google's own processors have an `a` after their generation, except AMD's: `c4a`, `n4a`, and `t2a`. */
export const gcpProcessorOf = (machineType: string): Processor =>
  /^(c4a|n4a|t2a)-/.test(machineType) ? 'arm64' : 'x64';
