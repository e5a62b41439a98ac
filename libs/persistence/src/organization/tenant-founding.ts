import {
  SYSTEM_ROLES,
  SYSTEM_ROLE_TREES,
  type Plan,
  type DivisionId,
  type EnvironmentId,
  type RoleId,
  type TenantId,
  type UserId,
} from '@libs/domain';
import { statement, type Statement } from '../database.js';

/** The values for a new tenant. */
export interface NewTenant {
  name: string;
  /** Organization contact address. */
  email: string;
  ownerId: UserId;
  plan: Plan;
}

/** The ids of the rows that a new tenant has initially. */
export interface FoundedTenant {
  tenantId: TenantId;
  divisionId: DivisionId;
  environmentId: EnvironmentId;
  ownerRoleId: RoleId;
}

/** Runs a statement in the caller's transaction: an app uses `Database`, the seed uses a plain client. */
export type RunStatement = (prepared: Statement, values: unknown[]) => Promise<Record<string, unknown>[]>;

// One statement: foreign keys are checked at its end, so the new rows can refer to each other.
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
 * Creates a tenant with the standard rows: the five system roles, the owner as a member with the owner role, division `Default`
 * with environment `sandbox`. The first boot, sign-up and POST /tenants all use this function.
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
