import { EMPTY_TREE, type UpgradeMemo } from '@libs/domain';
import {
  ApiKeysRepository,
  CloudAccountsRepository,
  type CloudAccount,
  DivisionsRepository,
  EmailTokensRepository,
  EnvironmentsRepository,
  InvitationsRepository,
  JoinRequestsRepository,
  MembersRepository,
  OwnershipTransfersRepository,
  ProtectionCodesRepository,
  RolesRepository,
  SignInLocksRepository,
  TenantOwnershipRepository,
  TenantsRepository,
  UpgradesRepository,
  UsersRepository,
} from '../src/organization/index.js';
import { callsOf } from './calls-of.fixture.js';
import {
  DEPLOYMENT,
  DIVISION,
  EMAIL,
  ENVIRONMENT,
  HASH,
  OPERATION,
  ROW,
  TENANT,
  USER,
} from './typeorm-rows.fixture.js';

const ACCOUNT: CloudAccount = {
  ...{ cloud: 'aws', name: 'Test', accountId: '1', region: null, settings: { a: 1 }, remarks: null, status: 'active' },
  ...{ id: ROW, validatedAt: null, createdAt: new Date(), updatedAt: new Date() },
};
const UPGRADE = { from: {}, to: {}, is_hardware: true } as UpgradeMemo;

const PLACES = [
  callsOf(TenantsRepository, {
    get: (tenants) => tenants.get(TENANT),
    update: (tenants) => tenants.update(TENANT, { name: 'Sales' }),
    externalId: (tenants) => tenants.externalId(TENANT),
  }),
  callsOf(TenantOwnershipRepository, { countOwned: (tenants) => tenants.countOwned(USER) }),
  callsOf(DivisionsRepository, {
    find: (divisions) => divisions.find(TENANT, DIVISION),
    findIdByName: (divisions) => divisions.findIdByName(TENANT, 'DIVISION'),
    count: (divisions) => divisions.count(TENANT),
    insert: (divisions) =>
      divisions.insert({ tenant_id: TENANT, name: 'Sales', description: null, email: null, protected: false }),
    update: (divisions) => divisions.update(TENANT, DIVISION, { name: 'Sales' }),
  }),
  callsOf(EnvironmentsRepository, {
    findIdByName: (environments) => environments.findIdByName(TENANT, DIVISION, 'ENVIRONMENT'),
    insert: (environments) =>
      environments.insert({
        ...{ tenant_id: TENANT, division_id: DIVISION, name: 'Test', description: null, protected: false },
      }),
    update: (environments) => environments.update(TENANT, ENVIRONMENT, { name: 'Test' }),
    delete: (environments) => environments.delete(TENANT, ENVIRONMENT),
  }),
  callsOf(CloudAccountsRepository, {
    findIdByName: (accounts) => accounts.findIdByName(TENANT, 'ACCOUNT'),
    count: (accounts) => accounts.count(TENANT),
    insert: (accounts) => accounts.insert(TENANT, ACCOUNT),
    update: (accounts) => accounts.update(TENANT, ACCOUNT, true),
    delete: (accounts) => accounts.delete(TENANT, ROW),
  }),
  callsOf(UpgradesRepository, {
    insert: (upgrades) => upgrades.insert(DEPLOYMENT, OPERATION + 1, UPGRADE),
    isPending: (upgrades) => upgrades.isPending(DEPLOYMENT),
  }),
];

const PEOPLE = [
  callsOf(RolesRepository, {
    findIdByName: (roles) => roles.findIdByName(TENANT, 'ROLE'),
    countCustom: (roles) => roles.countCustom(TENANT),
    insert: (roles) => roles.insert(TENANT, 'Readers', 'custom', EMPTY_TREE),
    delete: (roles) => roles.delete(TENANT, ROW),
  }),
  callsOf(ApiKeysRepository, {
    count: (keys) => keys.count(TENANT),
    secretHash: (keys) => keys.secretHash(TENANT, ROW),
  }),
  callsOf(EmailTokensRepository, {
    issue: (tokens) =>
      tokens.issue({
        ...{ userId: USER, purpose: 'verify', tokenHash: HASH, validSeconds: 60, pauseSeconds: 0 },
      }),
    find: (tokens) => tokens.find('verify', HASH),
    use: (tokens) => tokens.use('verify', HASH),
    removeAll: (tokens) => tokens.removeAll(USER),
  }),
  callsOf(UsersRepository, {
    rename: (users) => users.rename(USER, 'Writer'),
    rehash: (users) => users.rehash(USER, 'y'),
    verify: (users) => users.verify(USER),
  }),
  callsOf(InvitationsRepository, {
    census: (invitations) => invitations.census(TENANT),
    findPendingId: (invitations) => invitations.findPendingId(TENANT, EMAIL),
    insert: (invitations) =>
      invitations.insert({
        ...{ tenantId: TENANT, email: 'writer@people.example', divisionId: null, roleIds: [ROW], inviterId: USER },
      }),
    answer: (invitations) => invitations.answer(TENANT, ROW, 'accepted'),
    forgetCancelledUnscoped: (invitations) => invitations.forgetCancelledUnscoped(),
    delete: (invitations) => invitations.delete(TENANT, ROW),
    expireUnscoped: (invitations) => invitations.expireUnscoped(),
    isDomainLocked: (invitations) => invitations.isDomainLocked(TENANT + 1, 'ORDERS.example'),
  }),
  callsOf(JoinRequestsRepository, { answer: (requests) => requests.answer(TENANT, ROW, 'approved') }),
  callsOf(MembersRepository, {
    count: (members) => members.count(TENANT),
    idsWithRole: (members) => members.idsWithRole(TENANT, ROW),
  }),
  callsOf(OwnershipTransfersRepository, {
    request: (transfers) => transfers.request(TENANT, USER, USER),
    answer: (transfers) => transfers.answer(TENANT, ROW, 'accepted'),
  }),
  callsOf(ProtectionCodesRepository, {
    useUnscoped: (codes) => codes.useUnscoped('delete', ROW),
    forgetUnscoped: (codes) => codes.forgetUnscoped(),
  }),
  callsOf(SignInLocksRepository, { clear: (locks) => locks.clear('subject') }),
];

export const ORGANIZATION_CALLS = [...PLACES, ...PEOPLE];
