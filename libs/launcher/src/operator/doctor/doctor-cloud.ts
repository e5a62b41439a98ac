import { HostError } from '@libs/host/os';
import {
  DEFAULT_AWS_IMAGE,
  DEFAULT_GCP_IMAGE,
  diagnoseAws,
  diagnoseGcp,
  GCP_OPERATOR_PERMISSIONS,
  operatorPolicy,
  OperatorTokens,
  type CloudFinding,
} from '@libs/cloud';
import { givenEnvironment } from '../../config.js';
import { LauncherError } from '../../launcher-error.js';
import { printJson, type Output } from '../print.js';
import { withSession } from '../with-session.js';
import { reportFindings } from './doctor.js';

export interface CloudDoctorOptions extends Output {
  region?: string;
  /** The name of the installation. Undefined: the one of the running database. */
  installation?: string;
  /** Only print the permissions that the operator's own access needs. */
  policy?: boolean;
}

/**
 * `landlord doctor --cloud aws` and `--cloud gcp`: looks at the operator's own account with the access of this environment, and changes
 * nothing. Throws LauncherError when a check fails, or when the region, the installation or the project is unknown.
 */
export async function doctorOfCloud(cloud: string, { json, policy, ...options }: CloudDoctorOptions): Promise<void> {
  const findings = await (cloud === 'gcp' ? doctorOfGoogle(options, policy) : doctorOfAws(options, policy));
  if (findings) reportFindings(findings, json === undefined ? {} : { json });
}

async function doctorOfAws(options: CloudDoctorOptions, policy = false): Promise<CloudFinding[] | null> {
  const environment = givenEnvironment();
  const region = options.region || environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  if (!region) throw new LauncherError('Name the region: --region us-east-1, or AWS_REGION.');
  const installation = options.installation ?? (await nameOfDatabase());
  if (policy) return printed(operatorPolicy({ region, installation }));
  const { AWS_ENDPOINT_URL, AWS_IMAGE } = environment;
  return diagnoseAws({
    ...{ endpoint: AWS_ENDPOINT_URL || undefined, region, image: AWS_IMAGE || DEFAULT_AWS_IMAGE, installation },
  });
}

async function doctorOfGoogle({ region }: CloudDoctorOptions, policy = false): Promise<CloudFinding[] | null> {
  if (policy) return printed({ includedPermissions: GCP_OPERATOR_PERMISSIONS });
  if (!region) throw new LauncherError('Name the region: --region us-central1.');
  const { GCP_PROJECT: project, GCP_ENDPOINT, GCP_IMAGE } = givenEnvironment();
  if (!project) throw new LauncherError('Name the project: set GCP_PROJECT.');
  return diagnoseGcp({
    ...{ endpoint: GCP_ENDPOINT || undefined, region, project, image: GCP_IMAGE || DEFAULT_GCP_IMAGE },
    operator: new OperatorTokens(),
  });
}

function printed(value: object): null {
  printJson(value);
  return null;
}

async function nameOfDatabase(): Promise<string> {
  try {
    return await withSession((session) => session.installationName());
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const reason = `The name of the installation comes from its database. ${error.message}`;
    throw new LauncherError(`${reason} Or name it: --installation <name>.`, { cause: error });
  }
}
