import { PROCESSORS, type Processor } from '@libs/domain';
import { z } from 'zod';

const isProcessor = (text: string): text is Processor => PROCESSORS.some((processor) => processor === text);

/** The processors of the instances of a driver, separated by commas. */
export const processorsSetting = (driver: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine(
      (all): all is Processor[] => all.length > 0 && all.every(isProcessor),
      `must be ${PROCESSORS.join(', ')} or both`,
    )
    .default(['x64'])
    .describe(
      `The processors of instances for the driver \`${driver}\`: \`x64\`, \`arm64\`, or both with a comma. \`npm run artifacts\` must have made the programs for each.`,
    );
