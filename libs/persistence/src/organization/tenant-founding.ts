import { SYSTEM_ROLES, SYSTEM_ROLE_TREES, type Plan } from '@libs/domain';
import { statement, type Statement } from '../database.js';

/** A tenant that is about to be. */
export interface NewTenant {
  name: string;
  /** Organization contact address. */
  email: string;
  ownerId: number;
  plan: Plan;
}

/** What a new tenant begins with. */
export interface FoundedTenant {
  tenantId: number;
  divisionId: number;
  environmentId: number;
  ownerRoleId: number;
}

/** Runs a statement in the transaction of whoever founds: an app's by `Database`, the seed's by a bare client. */
export type RunStatement = (prepared: Statement, values: unknown[]) => Promise<Record<string, unknown>[]>;

// One statement: foreign keys are checked at its end, so that everything may refer to what is made beside it.
const FOUND = statement(
  'tenant.found',
  `with tenant as (
     insert into tenants (name, email, owner_id, plan) values ($1, $2, $3, $4) returning id
   ), given as (
     insert into roles (tenant_id, name, kind, permissions)
     select tenant.id, role.value ->> 'name', 'system', role.value -> 'permissions'
       from tenant, jsonb_array_elements($5::jsonb) with ordinality role (value, place) order by role.place
     returning id, name
   ), member as (
     insert into members (tenant_id, user_id) select id, $3 from tenant
   ), held as (
     insert into member_roles (tenant_id, user_id, role_id)
     select tenant.id, $3, given.id from tenant, given where given.name = 'owner'
   ), division as (
     insert into divisions (tenant_id, name) select id, 'Default' from tenant returning id
   ), environment as (
     insert into environments (tenant_id, division_id, name)
     select tenant.id, division.id, 'sandbox' from tenant, division returning id
   )
   select tenant.id as tenant, division.id as division, environment.id as environment, given.id as owner_role
     from tenant, division, environment, given where given.name = 'owner'`,
);

const ROLES = JSON.stringify(SYSTEM_ROLES.map((name) => ({ name, permissions: SYSTEM_ROLE_TREES[name] })));

/**
 * Makes a tenant as everybody gets it: the five system roles, its owner as a member with the role of the owner, division
 * `Default` with environment `sandbox`. The first boot, sign-up and POST /tenants all come here.
 */
export async function foundTenant(run: RunStatement, tenant: NewTenant): Promise<FoundedTenant> {
  const [row = {}] = await run(FOUND, [tenant.name, tenant.email, tenant.ownerId, tenant.plan, ROLES]);
  return {
    tenantId: Number(row['tenant']),
    divisionId: Number(row['division']),
    environmentId: Number(row['environment']),
    ownerRoleId: Number(row['owner_role']),
  };
}
