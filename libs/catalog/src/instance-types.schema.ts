import { z } from 'zod';

/** The name of an instance type of AWS, such as `m8g.large`. */
const names = z.array(z.string().regex(/^[a-z0-9-]+\.[a-z0-9-]+$/, 'an instance type, such as m8g.large')).min(1);

/** The instance types by storage and tier, the best one first. The driver takes the next one when a zone has no more of the first. */
export const instanceTypesSchema = z.strictObject({
  network_balanced: z.record(z.string(), names),
  local_ssd: z.record(z.string(), names),
});
