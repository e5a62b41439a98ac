import type { z } from 'zod';
import type { machineTypesSchema } from '../instance-types.schema.js';

type Types = z.input<typeof machineTypesSchema>;

const of = (size: string, ...families: string[]): string[] => families.map((family) => `${family}-${size}`);
const GENERAL = ['c4a', 'n2', 'e2'];

/**
 * The machine types of each tier, the best one first. Each has at least the processors and the memory of the tier, and for `local_ssd`
 * at least its local disks, which belong to types that end with `-lssd` and to the family `z3`. The types of a list have disks of the same
 * kind for each processor, so that an instance can change to the type of another tier.
 */
export const GCP_MACHINE_TYPES: Types = {
  network_balanced: {
    free: ['e2-micro'],
    small: ['c4a-highcpu-2', 'e2-medium'],
    medium: of('standard-2', ...GENERAL),
    large: of('standard-4', ...GENERAL),
    xlarge: of('standard-8', ...GENERAL),
    '2xlarge': of('standard-16', ...GENERAL),
    '4xlarge': of('standard-32', ...GENERAL),
    '8xlarge': of('standard-64', 'c4a', 'n2'),
    '16xlarge': of('standard-128', 'n2', 'n2d'),
  },
  local_ssd: {
    small: of('standard-4-lssd', 'c4a', 'c3'),
    medium: of('standard-4-lssd', 'c4a', 'c3'),
    large: of('standard-8-lssd', 'c4a', 'c3'),
    xlarge: ['c4a-standard-16-lssd', 'c3-standard-22-lssd'],
    '2xlarge': ['c4a-standard-32-lssd', 'c3-standard-44-lssd'],
    '4xlarge': ['c4a-standard-64-lssd', 'c3-standard-88-lssd'],
    '8xlarge': ['c3-standard-176-lssd', 'z3-highmem-88'],
    '16xlarge': ['z3-highmem-176'],
  },
};
