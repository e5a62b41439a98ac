import { DEFAULT_GCP_IMAGE, isGcpImage } from '@libs/cloud';
import type { SettingProblem } from '@libs/domain/settings';
import { z } from 'zod';
import { processorsSetting } from './processors-setting.js';

/** The settings of the driver `gcp`. The library of Google finds the operator's own access in its usual places. */
export const GCP_SETTINGS = {
  LANDLORD_PROVIDER_GCP: z
    .enum(['local', 'machines', 'gcp'])
    .default('local')
    .describe(
      'The driver of new deployments in the cloud `gcp`: `local`, `machines`, or `gcp` for instances at Google Cloud. See `LANDLORD_PROVIDER_AWS`.',
    ),
  GCP_PROJECT: z
    .string()
    .regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the id of a project, such as my-project')
    .optional()
    .describe('The id of the project for managed deployments with the driver `gcp`.'),
  GCP_IMAGE: z
    .string()
    .refine(isGcpImage, 'must be a project and a family of images, such as debian-cloud/debian-12')
    .default(DEFAULT_GCP_IMAGE)
    .describe(
      'The boot image of instances for the driver `gcp`: `<project>/<family>`, with `{processor}` for `amd64` or `arm64`. The image needs the guest agent of Google, systemd, glibc 2.28 or later, curl, and mdadm for several local disks. The default is Ubuntu 24.04.',
    ),
  GCP_PROCESSORS: processorsSetting('gcp'),
  GCP_ENDPOINT: z
    .url()
    .optional()
    .describe('The address of the APIs of Google for the driver `gcp`. Unset: Google itself.'),
};

/** An instance trusts the gateway by the certificate of its authority. */
export function gcpProblems(settings: Record<string, string | undefined>): SettingProblem[] {
  const { LANDLORD_PROVIDER_GCP: driver, GCP_PROJECT: project, AGENT_CA: authority, TLS_CERT: certificate } = settings;
  if (driver !== 'gcp') return [];
  return [
    ...(project ? [] : [{ name: 'GCP_PROJECT', expected: 'is required with LANDLORD_PROVIDER_GCP=gcp' }]),
    ...(authority || certificate
      ? []
      : [{ name: 'AGENT_CA', expected: 'is required with LANDLORD_PROVIDER_GCP=gcp, unless TLS_CERT is set' }]),
  ];
}
