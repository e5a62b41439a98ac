// The files of a generated resource. They follow apps/main-api/src/divisions.

export const migrationOf = (
  { Plural, table, words },
  { owner },
  number,
) => `import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The ${words} of ${owner}s. */
export class ${Plural}${number} implements MigrationInterface {
  name = '${Plural}${number}';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(\`
      create table ${table} (
        id bigint generated always as identity primary key,
        ${owner}_id bigint not null references ${owner}s,
        name text not null,
        created_at timestamptz not null default now()
      )\`);
    await runner.query('create index ${table}_of_${owner} on ${table} (${owner}_id, id desc)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ${table}');
  }
}
`;

export const entityOf = (
  { Singular, table, word },
  { owner, Owner },
) => `import type { ${Singular}Id, ${Owner}Id } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** One ${word} of a ${owner}. */
@Entity('${table}')
export class ${Singular} {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ${Singular}Id;

  @Column('bigint')
  ${owner}_id: ${Owner}Id;

  @Column('text')
  name: string;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
`;

export const repositoryOf = (
  { Plural, Singular, singular, table, words, word },
  { owner, Owner },
) => `import { Injectable } from '@nestjs/common';
import type { ${Owner}Id } from '@libs/domain';
import { statement, Database } from '../database.js';
import { readPage, type PageOf, type PageRequest } from '../page-of.js';
import type { ${Singular} } from './entities/${singular}.entity.js';

/** One ${word}, as lists show it. */
export type ${Singular}Row = Pick<${Singular}, 'id' | 'name' | 'created_at'>;

const LIST = statement(
  '${table}.list',
  \`select id, name, created_at, count(*) over ()::int as total from ${table}
    where ${owner}_id = $1 order by id desc limit $2 offset $3\`,
);
const COUNT = statement('${table}.count', 'select count(*)::int as count from ${table} where ${owner}_id = $1');

/** The ${words} of a ${owner}. Every statement has the ${owner}. */
@Injectable()
export class ${Plural}Repository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(${owner}Id: ${Owner}Id, request: PageRequest): Promise<PageOf<${Singular}Row>> {
    return readPage<${Singular}Row>(this.database, { list: LIST, count: COUNT }, [${owner}Id], request);
  }
}
`;

export const viewOf = ({ Singular, word }, { owner }) => `import { ApiId } from '@libs/http';

/** One ${word} of a ${owner}. */
export class ${Singular}View {
  @ApiId('The ${word}.')
  id: number;

  name: string;

  created_at: string;
}
`;

const PLACES = {
  tenant: { decorator: 'InTenant', path: 'tenants/:tenant_id', id: 'actor.tenantId', actor: 'tenantId: 1' },
  deployment: {
    ...{ decorator: 'OfDeployment', path: 'deployments/:deployment_id' },
    ...{ id: 'actor.deployment.id', actor: 'deployment: { id: 1 }' },
  },
};

export const controllerOf = (
  { Plural, Singular, plural, singular, camel, table, words },
  { owner, permission },
) => `import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, FailsWith, ${PLACES[owner].decorator}, Page, PageQuery, RequirePermission, ReturnsPageOf, type ActingCaller } from '@libs/http';
import { ${Singular}View } from './dto/${singular}.view.js';
import { ${Plural}Service } from './${plural}.service.js';

@ApiTags('${words[0].toUpperCase()}${words.slice(1)}')
@Controller('${PLACES[owner].path}/${table}')
export class ${Plural}Controller {
  constructor(private readonly ${camel}: ${Plural}Service) {}

  /** Lists the ${words} of the ${owner}, newest first. */
  @Get()
  @RequirePermission('${permission}')
  @${PLACES[owner].decorator}()
  @ReturnsPageOf(${Singular}View)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<${Singular}View>> {
    return this.${camel}.list(actor, query);
  }
}
`;

export const serviceOf = (
  { Plural, Singular, singular, camel, words },
  { group, owner },
) => `import { Injectable } from '@nestjs/common';
import { Page, type ActingCaller, type PageQuery } from '@libs/http';
import { ${Plural}Repository, type ${Singular}Row } from '@libs/persistence/${group}';
import type { ${Singular}View } from './dto/${singular}.view.js';

/** Checks, decides and writes for ${words}. */
@Injectable()
export class ${Plural}Service {
  constructor(private readonly ${camel}: ${Plural}Repository) {}

  async list(actor: ActingCaller, query: PageQuery): Promise<Page<${Singular}View>> {
    const { items, total } = await this.${camel}.list(${PLACES[owner].id}, query);
    return new Page(items.map(toView), total, query);
  }
}

const toView = ({ id, name, created_at }: ${Singular}Row): ${Singular}View => ({ id, name, created_at: created_at.toISOString() });
`;

export const specOf = (
  { Plural, plural, camel, table, words, word },
  { group, owner },
) => `import type { ActingCaller, PageQuery } from '@libs/http';
import { ${Plural}Repository } from '@libs/persistence/${group}';
import { WorkflowBench } from '@libs/testing';
import { ${Plural}Service } from './${plural}.service.js';

const QUERY: PageQuery = { page: 1, results: 10 };

describe('${Plural}Service', () => {
  let bench: WorkflowBench;
  let ${camel}: ${Plural}Service;
  beforeAll(async () => {
    bench = await WorkflowBench.open();
    ${camel} = new ${Plural}Service(new ${Plural}Repository(bench.database));
    // The rows need no ${owner}s here.
    await bench.rows('alter table ${table} drop constraint ${table}_${owner}_id_fkey');
    await bench.rows(\`insert into ${table} (${owner}_id, name) values (1, 'first'), (1, 'second'), (2, 'other')\`);
  });
  afterAll(() => bench.close());

  it('lists the ${words} of the ${owner}, newest first, and no ${word} of another ${owner}', async () => {
    const actor = { ${PLACES[owner].actor} } as ActingCaller;

    const page = await ${camel}.list(actor, QUERY);

    expect(page).toMatchObject({ items: [{ name: 'second' }, { name: 'first' }], total_results: 2 });
  });
});
`;
