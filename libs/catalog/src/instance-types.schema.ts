import { z } from 'zod';

/** By storage and tier, the best type first. The driver takes the next one when a zone has no more of the first. */
const typesByTier = (name: z.ZodString) =>
  z.strictObject({
    network_balanced: z.record(z.string(), z.array(name).min(1)),
    local_ssd: z.record(z.string(), z.array(name).min(1)),
  });

/** Instance types of AWS. */
export const instanceTypesSchema = typesByTier(
  z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, 'an instance type, such as m8g.large'),
);

/** Machine types of Google Cloud. */
export const machineTypesSchema = typesByTier(
  z.string().regex(/^[a-z0-9]+-[a-z0-9-]+$/, 'a machine type, such as c4a-standard-2'),
);
