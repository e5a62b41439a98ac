import fc from 'fast-check';
import { channelOf, ownerUrl, type ChannelOwner } from './channel-rows.js';
import type { World } from './world.js';

/** A record that a PUT changes, and the values that the PUT accepts. */
export interface Updatable {
  /** Path of the record. */
  of: (world: World) => Promise<string>;
  /** The app that serves the record; main-api by default. */
  app?: 'main' | 'runtime';
  /** Status of its PUT; 204 by default. */
  status?: number;
  /** Changes that its PUT accepts; a function if the changes name other records. */
  changes: fc.Arbitrary<object> | ((world: World) => Promise<fc.Arbitrary<object>>);
}

const printable = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replace(/\p{C}/gu, 'x'));
/** Never empty: an empty text means null. */
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((value) => value.replaceAll('\0', 'x'));
const flag = fc.boolean();
/** Names are unique, so each name contains a number. */
const name = fc.tuple(printable, fc.nat()).map(([start, number]) => `${start} ${number}`);
const email = fc.constantFrom(null, 'ops@example.com', 'a.b+c@sub.example.org');
const some = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> =>
  fc.record(members, { requiredKeys: [] });

const AWS = fc.record({
  identity_arn: fc.constant('arn:aws:iam::123456789012:role/landlord'),
  external_id: fc.stringMatching(/^[a-z0-9]{8,20}$/),
  vpc_id: fc.stringMatching(/^vpc-[0-9a-f]{17}$/),
});

const channel = (owner: ChannelOwner): Updatable => ({
  of: async (world) => `${ownerUrl(world, owner)}/channels/${await channelOf(world, owner)}`,
  changes: some({
    name,
    enabled: flag,
    // Another origin would require the headers again.
    destination: fc.webPath().map((path) => `https://hooks.example.com${path}`),
    remarks: fc.option(text),
    settings: fc.option(fc.record({ webhook: fc.record({ headers: fc.constantFrom({}, { 'x-team': 'red' }) }) })),
  }),
});

/** Every record whose path has a GET and a PUT, by the title of its PUT. */
export const UPDATABLE: Record<string, Updatable> = {
  'main-api: PUT /tenants/:tenant_id': {
    of: async ({ cloud }) => cloud.tenant,
    changes: some({ name, description: text, email, protected: flag }),
  },
  'main-api: PUT /tenants/:tenant_id/config': {
    of: async ({ cloud }) => `${cloud.tenant}/config`,
    changes: fc.record({
      join_policy: fc.constantFrom('invite_only', 'open', 'request_to_join'),
      block_external_invitations: fc.constant(false),
      enforce_domain_only_invitations: fc.constant(false),
    }),
  },
  'main-api: PUT /tenants/:tenant_id/billing/info': {
    of: async ({ cloud }) => `${cloud.tenant}/billing/info`,
    status: 200,
    changes: some({
      company: fc.option(text),
      email: fc.option(fc.constantFrom('bills@example.com', 'a.b+c@sub.example.org')),
      address: fc.option(
        some({ line_1: fc.option(text), city: fc.option(text), country: fc.constantFrom('DE', 'FR') }),
      ),
      tax_id: fc.option(fc.constantFrom('DE123456789', 'FR12345678901')),
      purchase_order: fc.option(fc.constantFrom('PO 4711', 'PO 4712')),
    }),
  },
  'main-api: PUT /tenants/:tenant_id/billing/payments/method': {
    of: async ({ cloud }) => `${cloud.tenant}/billing/payments/method`,
    status: 200,
    changes: fc.record({ provider: fc.constant('manual'), reference: fc.option(text) }),
  },
  'main-api: PUT /tenants/:tenant_id/divisions/:division_id': {
    of: async (world) => `${world.cloud.tenant}/divisions/${await world.division()}`,
    changes: some({ name, description: text, email, protected: flag }),
  },
  'main-api: PUT /tenants/:tenant_id/divisions/:division_id/environments/:environment_id': {
    of: async (world) => `${world.cloud.division}/environments/${await world.environment()}`,
    changes: some({ name, description: text, protected: flag }),
  },
  'main-api: PUT /tenants/:tenant_id/divisions/:division_id/environments/:environment_id/deployments/:deployment_id': {
    of: async (world) => `${world.cloud.environment}/deployments/${await world.deployment()}`,
    status: 200,
    changes: some({ description: text, protected: flag }),
  },
  'main-api: PUT /tenants/:tenant_id/roles/:role_id': {
    of: async (world) => `${world.cloud.tenant}/roles/${await world.role()}`,
    changes: some({
      name,
      permissions: fc.record({
        tenant: fc.uniqueArray(fc.constantFrom('info:read', 'audit:read', 'member:manage'), { minLength: 1 }),
        environment: fc.uniqueArray(fc.constantFrom('deployment:read', 'deployment:config:manage')),
      }),
    }),
  },
  'main-api: PUT /tenants/:tenant_id/members/:member_id': {
    of: async (world) => `${world.cloud.tenant}/members/${await world.member()}`,
    changes: async ({ cloud }) => {
      const { body } = await cloud.main().get(`${cloud.tenant}/roles`);
      // Only a transfer of ownership gives the role `owner`.
      const others = (body.items as { id: number; name: string }[]).filter(({ name: role }) => role !== 'owner');
      const ids = others.map(({ id }) => id);
      return some({ active: flag, roles: fc.uniqueArray(fc.constantFrom(...ids)) });
    },
  },
  'main-api: PUT /tenants/:tenant_id/channels/:channel_id': channel('tenant'),
  'main-api: PUT /tenants/:tenant_id/divisions/:division_id/channels/:channel_id': channel('division'),
  'main-api: PUT /tenants/:tenant_id/cloud_accounts/:cloud_account_id': {
    of: async (world) => `${world.cloud.tenant}/cloud_accounts/${await world.cloudAccount()}`,
    changes: some({
      name,
      account_id: fc.stringMatching(/^[0-9]{12}$/),
      region: fc.option(fc.constantFrom('us-east-1', 'eu-west-1')),
      remarks: fc.option(text),
      settings: fc.option(fc.record({ aws: AWS })),
      status: fc.constantFrom('active', 'inactive', 'locked', 'deleted'),
    }),
  },
  'supervisor: PUT /deployments/:deployment_id/backups/schedule': {
    app: 'runtime',
    of: async (world) => {
      const path = `/deployments/${await world.servingDeployment()}/backups/schedule`;
      await world.cloud.runtime().put(path, { every_hours: 24, keep: 1 });
      return path;
    },
    status: 200,
    changes: fc.oneof(
      fc.record({ cron: fc.constantFrom('0 3 * * *', '30 4 * * 1-5'), keep: fc.constantFrom(1, 2) }),
      fc.record({ every_hours: fc.integer({ min: 1, max: 720 }), keep: fc.constantFrom(1, 2) }),
    ),
  },
};
