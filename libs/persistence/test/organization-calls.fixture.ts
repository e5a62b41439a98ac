import { EMPTY_TREE } from '@libs/domain';
import {
  DivisionsRepository,
  EnvironmentsRepository,
  RolesRepository,
  TenantsRepository,
} from '../src/organization/index.js';
import { callsOf } from './calls-of.fixture.js';
import { DIVISION, ENVIRONMENT, ROW, TENANT } from './typeorm-rows.fixture.js';

export const ORGANIZATION_CALLS = [
  callsOf(TenantsRepository, {
    get: (tenants) => tenants.get(TENANT),
    update: (tenants) => tenants.update(TENANT, { name: 'Sales' }),
  }),
  callsOf(DivisionsRepository, {
    find: (divisions) => divisions.find(TENANT, DIVISION),
    findIdByName: (divisions) => divisions.findIdByName(TENANT, 'DIVISION'),
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
  callsOf(RolesRepository, {
    findIdByName: (roles) => roles.findIdByName(TENANT, 'ROLE'),
    countCustom: (roles) => roles.countCustom(TENANT),
    insert: (roles) => roles.insert(TENANT, 'Readers', 'custom', EMPTY_TREE),
    delete: (roles) => roles.delete(TENANT, ROW),
  }),
];
