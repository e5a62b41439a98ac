// The service of a generated resource. It follows the cloud accounts of a tenant, and the access rules of a deployment.

/** What differs between a resource of a tenant and a resource of a deployment. The lock is the row of the owner. */
const PLACES = {
  tenant: {
    ...{ id: 'actor.tenantId', context: 'tenantWide(actor)', platform: 'tenantWide', scope: '{}' },
    ...{ dependency: ['entitlements', 'TenantEntitlements'], lock: 'await this.entitlements.lock(actor.tenantId);' },
    imports: `import { TenantEntitlements } from '../tenants/index.js';\n`,
  },
  deployment: {
    ...{ id: 'actor.deployment.id', context: 'actor.context', platform: 'lockDeployment, requireAlive' },
    scope: '{ divisionId: actor.division.id, environmentId: actor.environment.id }',
    dependency: ['runtimes', 'RuntimesRepository'],
    lock: 'requireAlive(await lockDeployment(this.runtimes, actor.deployment.id));',
    imports: '',
  },
};

/** The imports of the input and the output, in the order of their files. */
export const dtoImportsOf = ({ Singular, singular }, keyword) =>
  [
    [`create-${singular}.dto`, `Create${Singular}Dto`],
    [`${singular}.view`, `${Singular}View`],
    [`update-${singular}.dto`, `Update${Singular}Dto`],
  ]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, name]) => `${keyword} { ${name} } from './dto/${file}.js';`)
    .join('\n');

export function serviceOf(names, app) {
  const { Plural, Singular, snake, camel, words } = names;
  const { group, owner } = app;
  const { platform, dependency, imports, context } = PLACES[owner];
  const [field, type] = dependency;
  const repositories = [`${Plural}Repository`, ...app.repositories].sort().join(', ');
  return `import { Injectable } from '@nestjs/common';
import { changesOf, DomainError, findGrant, requireFreeName, Written, type Precondition, type ${Singular}Id } from '@libs/domain';
import { Page, requireUnchanged, type ActingCaller, type NamedListQuery } from '@libs/http';
import { Ledger } from '@libs/ledger';
import { ${repositories}, type ${Singular}Row } from '@libs/persistence/${group}';
import { ${platform} } from '../platform/index.js';
${imports}${dtoImportsOf(names, 'import type')}

type AuditedAs = '${snake}_created' | '${snake}_updated' | '${snake}_deleted';

/** Checks, decides and writes for ${words}. */
@Injectable()
export class ${Plural}Service {
  constructor(
    private readonly ${camel}: ${Plural}Repository,
    private readonly ${field}: ${type},
    private readonly ledger: Ledger,
  ) {}

${readsOf(names, owner)}
${writesOf(names, app)}
${nameCheckOf(names, app)}
  private async record(actor: ActingCaller, audit: AuditedAs, data: object): Promise<void> {
    const { author, traceId } = actor;
    await this.ledger.record({ audit, author, context: ${context}, data, traceId });
  }
}

${functionsOf(names)}`;
}

const readsOf = (
  { Singular, camel, snake },
  owner,
) => `  async list(actor: ActingCaller, query: NamedListQuery): Promise<Page<${Singular}View>> {
    return Page.of(await this.${camel}.list(${PLACES[owner].id}, query), toView, query);
  }

  /** @throws DomainError ${snake}_not_found */
  async get(actor: ActingCaller, id: ${Singular}Id): Promise<${Singular}View> {
    return toView(existing(await this.${camel}.find(${PLACES[owner].id}, id)));
  }
`;

function writesOf({ Singular, singular, camel, snake }, { owner, errors }) {
  const { id, lock } = PLACES[owner];
  const thrown = (...codes) => `/** @throws DomainError ${[...codes, ...errors].join(', ')} */`;
  const lockToDelete = owner === 'deployment' ? `    ${lock}\n` : '';
  return `  ${thrown('name_taken')}
  async create(actor: ActingCaller, { name, description = null }: Create${Singular}Dto): Promise<Written<${Singular}View>> {
    // Without the lock, two requests with the same name could both find it free.
    ${lock}
    await this.requireFreeName(actor, name, null);
    const row = await this.${camel}.insert(${id}, { name, description });
    await this.record(actor, '${snake}_created', { ${snake}_id: row.id, name, description });
    return new Written(toView(row), { '${singular}': row.id });
  }

  ${thrown(`${snake}_not_found`, 'name_taken', 'precondition_failed')}
  async update(actor: ActingCaller, id: ${Singular}Id, dto: Update${Singular}Dto, precondition: Precondition): Promise<void> {
    ${lock}
    const row = existing(await this.${camel}.findForUpdate(${id}, id));
    precondition.require(toView(row));
    requireUnchanged(dto, toView(row));
    const { changes, previous } = changesOf<${Singular}Row>(row, { ...dto });
    if (Object.keys(changes).length === 0) return;
    if (changes.name !== undefined) await this.requireFreeName(actor, changes.name, id);
    await this.${camel}.update(${id}, id, { ...row, ...changes });
    await this.record(actor, '${snake}_updated', { ${snake}_id: id, ...changes, previous });
  }

  ${thrown(`${snake}_not_found`, 'precondition_failed')}
  async delete(actor: ActingCaller, id: ${Singular}Id, precondition: Precondition): Promise<void> {
${lockToDelete}    const row = existing(await this.${camel}.findForUpdate(${id}, id));
    precondition.require(toView(row));
    await this.${camel}.delete(${id}, id);
    await this.record(actor, '${snake}_deleted', { ${snake}_id: id, name: row.name });
  }
`;
}

function nameCheckOf({ Singular, camel, word }, { owner, permissions }) {
  const { id, scope } = PLACES[owner];
  return `  private async requireFreeName(actor: ActingCaller, name: string, ownId: ${Singular}Id | null): Promise<void> {
    const id = await this.${camel}.findIdByName(${id}, name);
    const isReadable = (): boolean => findGrant(actor.caller.holding, '${permissions.read}', ${scope}) !== null;
    requireFreeName('${word}', name, { id, own: ownId, isReadable });
  }
`;
}

const functionsOf = ({ Singular, snake, word }) => `function existing(row: ${Singular}Row | null): ${Singular}Row {
  if (!row) throw new DomainError('${snake}_not_found', 'No such ${word}.');
  return row;
}

const toView = (row: ${Singular}Row): ${Singular}View => ({
  id: row.id,
  name: row.name,
  description: row.description,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
`;
