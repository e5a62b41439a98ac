import type { Main } from '@landlord/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { landlordOf } from '../../api/client.js';
import { useAccountChange } from '../../api/use-account-change.js';
import { ConfirmButton } from '../../ui/overlay/confirm-button.js';
import { Table, type Column } from '../../ui/list/table.js';
import { Disclosure } from '../../ui/overlay/disclosure.js';
import { Section } from '../../ui/section.js';
import { NewOrganization } from './new-organization.js';

/** The organizations of the person, and a form for one more. */
export const Memberships = ({ account: { tenants } }: { account: Main.AccountView }) => (
  <Section title="Organizations">
    {tenants.length === 0 ? (
      <p>You are a member of no organization.</p>
    ) : (
      <Table label="Organizations" columns={COLUMNS} rows={tenants} keyOf={({ id }) => id} />
    )}
    <Disclosure title="New organization">
      <NewOrganization />
    </Disclosure>
  </Section>
);

const COLUMNS: readonly Column<Main.AccountTenantView>[] = [
  { title: 'Name', cell: (tenant) => <Name {...tenant} /> },
  { title: 'You are', cell: ({ owner, active }) => (owner ? 'owner' : active ? 'member' : 'inactive') },
  { title: 'Actions', cell: (tenant) => <Leave {...tenant} /> },
];

const Name = ({ id, name, active }: Main.AccountTenantView) =>
  active ? (
    <Link to="/t/$tenantId" params={{ tenantId: id }}>
      <bdi>{name}</bdi>
    </Link>
  ) : (
    <bdi>{name}</bdi>
  );

function Leave({ id, name, owner, active }: Main.AccountTenantView) {
  const queries = useQueryClient();
  const leave = useAccountChange(
    () => landlordOf(id).members.leave(),
    () => queries.removeQueries({ queryKey: ['tenant', id] }),
  );
  const inactive = active ? null : 'Your membership is inactive.';
  return (
    <ConfirmButton
      action="Leave"
      question={`Leave ${name}? Your keys there are deleted.`}
      send={leave}
      disabledReason={owner ? 'The owner stays. Transfer the organization first.' : inactive}
    />
  );
}
