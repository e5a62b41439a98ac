import { DEFAULT_AWS_IMAGE, imageQuery } from '@libs/cloud';
import { PROCESSORS, type Processor } from '@libs/domain';
import type { SettingProblem } from '@libs/domain/settings';
import { z } from 'zod';

const isProcessor = (text: string): text is Processor => PROCESSORS.some((known) => known === text);

/** The settings of the driver `aws`. The SDK finds the keys of the operator's account in its usual places. */
export const AWS_SETTINGS = {
  AWS_IMAGE: z
    .string()
    .refine((text) => imageQuery(text) !== null, 'must be an image id, or an owner and a name pattern')
    .default(DEFAULT_AWS_IMAGE)
    .describe(
      'The boot image of instances for the driver `aws`: an id such as `ami-0123456789abcdef0`, or `<owner>/<name pattern>` with `{processor}` for `x86_64` or `arm64`. Of several images, the newest one is used. The image needs cloud-init, systemd, glibc 2.28 or later, curl, and mdadm for several local disks. The default is Amazon Linux 2023.',
    ),
  AWS_PROCESSORS: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine(
      (all): all is Processor[] => all.length > 0 && all.every(isProcessor),
      `must be ${PROCESSORS.join(', ')} or both`,
    )
    .default(['x64'])
    .describe(
      'The processors of instances for the driver `aws`: `x64`, `arm64`, or both with a comma. `npm run artifacts` must have made the programs for each.',
    ),
  AWS_ENDPOINT_URL: z.url().optional().describe('The address of the AWS API for the driver `aws`. Unset: AWS itself.'),
};

/** An instance trusts the gateway by the certificate of its authority. */
export function awsProblems(given: Record<string, string | undefined>): SettingProblem[] {
  const { LANDLORD_PROVIDER_AWS: driver, AGENT_CA: authority, TLS_CERT: certificate } = given;
  if (driver !== 'aws' || authority || certificate) return [];
  return [{ name: 'AGENT_CA', expected: 'is required with LANDLORD_PROVIDER_AWS=aws, unless TLS_CERT is set' }];
}
