import { DEFAULT_AWS_IMAGE, diagnoseAws, operatorPolicy } from '@libs/cloud';
import { givenEnvironment } from '../../config.js';
import { LauncherError } from '../../launcher-error.js';
import { printJson, type Output } from '../print.js';
import { withSession } from '../with-session.js';
import { reportFindings } from './doctor.js';

export interface CloudDoctorOptions extends Output {
  region?: string;
  /** The name of the installation. Undefined: the one of the running database. */
  installation?: string;
  /** Only print the policy. */
  policy?: boolean;
}

/**
 * `landlord doctor --cloud aws`: looks at the operator's own account with the keys of this environment, and changes nothing. Throws
 * LauncherError when a check fails, or when region or installation are unknown.
 */
export async function doctorOfCloud({ json, policy, ...options }: CloudDoctorOptions): Promise<void> {
  const environment = givenEnvironment();
  const region = options.region || environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  if (!region) throw new LauncherError('Name the region: --region us-east-1, or AWS_REGION.');
  const installation = options.installation ?? (await nameOfDatabase());
  if (policy) return printJson(operatorPolicy({ region, installation }));
  const { AWS_ENDPOINT_URL, AWS_IMAGE } = environment;
  const findings = await diagnoseAws({
    ...{ endpoint: AWS_ENDPOINT_URL || undefined, region, image: AWS_IMAGE || DEFAULT_AWS_IMAGE, installation },
  });
  reportFindings(findings, json === undefined ? {} : { json });
}

async function nameOfDatabase(): Promise<string> {
  try {
    return await withSession((session) => session.installationName());
  } catch (error) {
    if (!(error instanceof LauncherError)) throw error;
    const reason = `The name of the installation comes from its database. ${error.message}`;
    throw new LauncherError(`${reason} Or name it: --installation <name>.`, { cause: error });
  }
}
