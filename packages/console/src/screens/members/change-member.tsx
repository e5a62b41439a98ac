import type { Main } from '@landlord/sdk';
import { useState } from 'react';
import { RequestForm } from '../../request/request-form.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { useRoleChoices } from './role-choices.js';

/** The roles of a member, and whether the member may come in. */
export function ChangeMember({ tenantId, member }: { tenantId: number; member: Main.MemberView }) {
  const [isOpen, setOpen] = useState(false);
  const { id, name, owner, active, roles } = member;
  const choices = useRoleChoices(tenantId);
  return (
    <>
      <Button
        opens="dialog"
        disabledReason={owner ? 'The owner has every permission.' : null}
        onPress={() => setOpen(true)}
      >
        Change
      </Button>
      {isOpen && (
        <Dialog title={`Change ${name}`} onClose={() => setOpen(false)}>
          <RequestForm
            tenantId={tenantId}
            request="members.update"
            ids={{ member_id: id }}
            own={{ roles: { kind: 'numbers', choices }, active: { label: 'The member may come in', hint: '' } }}
            record={{ active, roles: roles.map((role) => role.id) }}
            action="Save the member"
            onDone={() => setOpen(false)}
          />
        </Dialog>
      )}
    </>
  );
}
