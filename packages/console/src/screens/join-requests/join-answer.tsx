import type { Main } from '@landlord/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { landlordOf } from '../../api/client.js';
import { rolesQuery } from '../../api/queries/organization.js';
import { useTenantRefusal } from '../../api/use-tenant-refusal.js';
import { AnswerButtons } from '../../ui/answer-buttons.js';
import { SelectField } from '../../ui/form/field.js';
import { useChange } from '../divisions/use-change.js';
import styles from './join-requests.module.css';

interface JoinAnswerProps {
  tenantId: number;
  request: Main.JoinRequestView;
}

/** Approves the request with a role, or rejects it. The person gets a mail about the answer. */
export function JoinAnswer({ tenantId, request: { id, name } }: JoinAnswerProps) {
  const { joinRequests } = landlordOf(tenantId);
  const join_request_id = id;
  const [role, setRole] = useState('');
  const refusal = useTenantRefusal(tenantId, 'member:manage');
  const roles = role === '' ? {} : { roles: [Number(role)] };
  const approve = useChange<void>(tenantId, () => joinRequests.approve({ join_request_id, ...roles }));
  const reject = useChange<void>(tenantId, () => joinRequests.reject({ join_request_id }));
  const question = `Reject the request of ${name}?`;
  return (
    <div className={styles['answer']}>
      <RoleField tenantId={tenantId} role={role} onChange={setRole} />
      <AnswerButtons
        yes="Approve"
        accept={approve}
        no="Reject"
        question={question}
        reject={reject}
        disabledReason={refusal}
      />
    </div>
  );
}

interface RoleFieldProps {
  tenantId: number;
  role: string;
  onChange: (role: string) => void;
}

/** Without a choice, the API makes the person a viewer. */
function RoleField({ tenantId, role, onChange }: RoleFieldProps) {
  const { data } = useQuery({ ...rolesQuery(tenantId), throwOnError: false });
  const others = (data?.items ?? []).filter(({ name }) => name !== 'viewer');
  const choices = others.map(({ id, name }) => ({ value: String(id), label: name }));
  const field = { label: 'Role', name: 'role', value: role, onChange };
  return <SelectField {...field} choices={[{ value: '', label: 'viewer' }, ...choices]} />;
}
