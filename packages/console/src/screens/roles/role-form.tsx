import { PERMISSIONS } from '../../generated/values.js';
import { RequestForm } from '../../request/request-form.js';
import type { OwnFields } from '../../request/request-fields.js';
import type { Main } from '@landlord/sdk';

const CHOICES = PERMISSIONS.map((one) => ({ value: one, label: one }));
const OWN: OwnFields = {
  'permissions.tenant': { label: 'In the whole organization', choices: CHOICES },
  'permissions.division': { label: 'In every division that the role reaches', choices: CHOICES },
  'permissions.environment': { label: 'In every environment that the role reaches', choices: CHOICES },
  'permissions.divisions': {
    label: 'In single divisions and environments, as JSON',
    hint: 'By the id of the division: `{"7": {"permissions": [], "environment": [], "environments": {"9": []}}}`.',
  },
};

/** The name and the permissions of a new role. */
export const NewRole = ({ tenantId, onDone }: { tenantId: number; onDone: (made: Main.RoleView) => unknown }) => (
  <RequestForm<Main.RoleView>
    tenantId={tenantId}
    request="roles.create"
    own={OWN}
    initial={{ permissions: {} }}
    fixed={{}}
    action="Create the role"
    onDone={onDone}
  />
);

/** The name and the permissions of a role of the organization. */
export const ChangeRole = ({ tenantId, role }: { tenantId: number; role: Main.RoleView }) => (
  <RequestForm
    tenantId={tenantId}
    ids={{ role_id: role.id }}
    request="roles.update"
    own={OWN}
    record={{ ...role }}
    action="Save the role"
  />
);
