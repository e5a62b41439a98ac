import type { Main } from '@landlord/sdk';
import { Status } from '../../ui/text/status.js';

type Reported = Pick<Main.DeploymentItemView, 'status' | 'supervisor_reachable'>;

interface DeploymentStatusProps {
  of: Reported;
  /** Whether the last read failed. What was read before can be wrong now. */
  isOld: boolean;
}

/** The status of a deployment. What nobody reports now, and what cannot be read now, is unknown: an old status would claim too much. */
export const DeploymentStatus = ({ of: { status, supervisor_reachable }, isOld }: DeploymentStatusProps) => (
  <Status of={supervisor_reachable && !isOld ? status : 'unknown'} />
);
