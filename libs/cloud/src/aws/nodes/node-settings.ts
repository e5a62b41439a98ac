import type { JoinFiles, Processor } from '@libs/domain';
import type { ReservedMachines } from '../../driver/reserved-machines.js';

/** What instances are made of. */
export interface AwsNodeSettings {
  machines: ReservedMachines;
  /** Null without the certificate of an authority: an instance could not trust the gateway. */
  join: JoinFiles | null;
  /** The id of an image, or `<owner>/<name pattern>` with `{processor}` for `x86_64` or `arm64`: the newest one is used. */
  image: string;
  /** The processors that the installation has programs for. */
  processors: readonly Processor[];
  /** The instance types of a size and a kind of storage, the best one first. */
  typesOf: (variant: string, storage: string) => readonly string[];
}

/** The families of AWS's own processors have a `g` after their generation: `m8g`, `c7gd`, `t4g`. */
export const processorOf = (instanceType: string): Processor =>
  /^[a-z]+\d+[a-z]*g[a-z]*\./.test(instanceType) ? 'arm64' : 'x64';
