import type { z } from 'zod';
import type { instanceTypesSchema } from '../instance-types.schema.js';

type Types = z.input<typeof instanceTypesSchema>;

const of = (size: string, ...families: string[]): string[] => families.map((family) => `${family}.${size}`);
const GENERAL = ['m8g', 'm7g', 'm6g', 'm7i', 'm6i'];
const LOCAL = ['c8gd', 'c7gd', 'c6gd', 'c6id'];

/**
 * The instance types of each tier, the best one first. Each has at least the processors and the memory of the tier, and for `local_ssd`
 * at least its local disk. Each list has types of both processors, because an installation may have programs for one only.
 */
export const AWS_INSTANCE_TYPES: Types = {
  network_balanced: {
    free: of('micro', 't4g', 't3'),
    small: of('large', 'c8g', 'c7g', 'c6g', 'c7i', 'c6i'),
    medium: of('large', ...GENERAL),
    large: of('xlarge', ...GENERAL),
    xlarge: of('2xlarge', ...GENERAL),
    '2xlarge': of('4xlarge', ...GENERAL),
    '4xlarge': of('8xlarge', ...GENERAL),
    '8xlarge': of('16xlarge', ...GENERAL),
    '16xlarge': ['m8g.48xlarge', 'm8i.32xlarge', 'm6i.32xlarge'],
  },
  local_ssd: {
    small: of('large', ...LOCAL),
    medium: of('xlarge', ...LOCAL),
    large: of('2xlarge', ...LOCAL),
    xlarge: of('4xlarge', ...LOCAL),
    '2xlarge': of('8xlarge', ...LOCAL),
    '4xlarge': of('16xlarge', ...LOCAL),
    '8xlarge': ['im4gn.16xlarge', 'c6id.32xlarge', 'm6id.32xlarge'],
    '16xlarge': ['i8g.48xlarge', 'i4i.32xlarge'],
  },
};
