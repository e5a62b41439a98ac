import { z } from 'zod';
import { readRange } from '../canonical/range.js';

/** Comma-separated. */
export const listSetting = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
);

/** A list of addresses and networks, in canonical form. */
export const rangesSetting = listSetting.transform((entries, context) =>
  entries.flatMap((entry, index) => {
    const { range, fault } = readRange(entry);
    if (range !== undefined) return range;
    context.addIssue({ code: 'custom', message: `entry ${index + 1} ${fault}` });
    return [];
  }),
);
