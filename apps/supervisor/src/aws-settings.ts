import { DEFAULT_AWS_IMAGE, imageQuery } from '@libs/cloud';
import type { SettingProblem } from '@libs/domain/settings';
import { z } from 'zod';
import { processorsSetting } from './processors-setting.js';

/** The settings of the driver `aws`. The SDK finds the keys of the operator's account in its usual places. */
export const AWS_SETTINGS = {
  LANDLORD_PROVIDER_AWS: z
    .enum(['local', 'machines', 'aws'])
    .default('local')
    .describe(
      'The driver of new deployments in the cloud `aws`. `local` runs nodes on the machine of the Supervisor. `machines` runs nodes on hosts that joined with `landlord machines token`. `aws` makes instances at AWS. Existing deployments keep their driver.',
    ),
  AWS_IMAGE: z
    .string()
    .refine((text) => imageQuery(text) !== null, 'must be an image id, or an owner and a name pattern')
    .default(DEFAULT_AWS_IMAGE)
    .describe(
      'The boot image of instances for the driver `aws`: an id such as `ami-0123456789abcdef0`, or `<owner>/<name pattern>` with `{processor}` for `x86_64` or `arm64`. Of several images, the newest one is used. The image needs cloud-init, systemd, glibc 2.28 or later, curl, and mdadm for several local disks. The default is Amazon Linux 2023.',
    ),
  AWS_PROCESSORS: processorsSetting('aws'),
  AWS_ENDPOINT_URL: z.url().optional().describe('The address of the AWS API for the driver `aws`. Unset: AWS itself.'),
};

/** An instance trusts the gateway by the certificate of its authority. */
export function awsProblems(settings: Record<string, string | undefined>): SettingProblem[] {
  const { LANDLORD_PROVIDER_AWS: driver, AGENT_CA: authority, TLS_CERT: certificate } = settings;
  if (driver !== 'aws' || authority || certificate) return [];
  return [{ name: 'AGENT_CA', expected: 'is required with LANDLORD_PROVIDER_AWS=aws, unless TLS_CERT is set' }];
}
