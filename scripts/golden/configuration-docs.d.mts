import type { z } from 'zod';

/** docs/configuration.md as Markdown. */
export declare function configurationPage(schemas: {
  mainApi: z.ZodType;
  supervisor: z.ZodType;
  launcher: z.ZodType;
}): string;
