// The table of a generated resource: migration, entity and repository. They follow the cloud accounts of a tenant.

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
        id bigint generated always as identity primary key check (id <= 9007199254740991),
        ${owner}_id bigint not null references ${owner}s,
        name text not null,
        description text,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )\`);
    await runner.query('create unique index ${table}_name on ${table} (${owner}_id, lower(name))');
    await runner.query('create index ${table}_of_${owner} on ${table} (${owner}_id, id desc)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table ${table}');
  }
}
`;

export const entityOf = (
  { Singular, table, aWord },
  { owner, Owner },
) => `import type { ${[`${Singular}Id`, `${Owner}Id`].sort().join(', ')} } from '@libs/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** ${capital(aWord)} of a ${owner}. */
@Entity('${table}')
export class ${Singular} {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id: ${Singular}Id;

  @Column('bigint')
  ${owner}_id: ${Owner}Id;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
`;

export const repositoryOf = (names, app) => {
  const { Singular, singular, words, word, Plural } = names;
  const { owner, Owner } = app;
  return `import { Injectable } from '@nestjs/common';
import type { ${[`${Singular}Id`, `${Owner}Id`].sort().join(', ')} } from '@libs/domain';
import { caseless } from '../conditions.js';
import { statement, Database } from '../database.js';
import { byName, byTime, paged, readPage, type PageOf, type PageRequest } from '../page-of.js';
import { ${Singular} } from './entities/${singular}.entity.js';

/** ${capital(names.aWord)} as it is stored. */
export type ${Singular}Row = Pick<${Singular}, 'id' | 'name' | 'description' | 'created_at' | 'updated_at'>;

/** The members that a request can set. */
export type ${Singular}Values = Pick<${Singular}, 'name' | 'description'>;

${statementsOf(names, app)}
/** The ${words} of a ${owner}. Every statement has the ${owner}. */
@Injectable()
export class ${Plural}Repository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(${owner}Id: ${Owner}Id, request: PageRequest): Promise<PageOf<${Singular}Row>> {
    return readPage<${Singular}Row>(this.database, LIST, [${owner}Id], request);
  }

  async find(${owner}Id: ${Owner}Id, id: ${Singular}Id): Promise<${Singular}Row | null> {
    return this.database.repository(${Singular}).findOneBy({ ${owner}_id: ${owner}Id, id });
  }

  /** Reads the ${word} and locks it until the transaction ends. */
  async findForUpdate(${owner}Id: ${Owner}Id, id: ${Singular}Id): Promise<${Singular}Row | null> {
    const [row] = await this.database.query<${Singular}Row>(LOCK, [${owner}Id, id]);
    return row ?? null;
  }

  async findIdByName(${owner}Id: ${Owner}Id, name: string): Promise<${Singular}Id | null> {
    const where = { ${owner}_id: ${owner}Id, name: caseless(name) };
    const row = await this.database.repository(${Singular}).findOne({ select: { id: true }, where });
    return row?.id ?? null;
  }

  async insert(${owner}Id: ${Owner}Id, values: ${Singular}Values): Promise<${Singular}Row> {
    const row = this.database.repository(${Singular}).create({ ...values, ${owner}_id: ${owner}Id });
    await this.database.repository(${Singular}).insert(row);
    return row;
  }

  async update(${owner}Id: ${Owner}Id, id: ${Singular}Id, { name, description }: ${Singular}Values): Promise<void> {
    const changes = { name, description, updated_at: () => 'now()' };
    await this.database.repository(${Singular}).update({ ${owner}_id: ${owner}Id, id }, changes);
  }

  async delete(${owner}Id: ${Owner}Id, id: ${Singular}Id): Promise<void> {
    await this.database.repository(${Singular}).delete({ ${owner}_id: ${owner}Id, id });
  }
}
`;
};

const statementsOf = ({ snake, table }, { owner }) => `const COLUMNS = 'id, name, description, created_at, updated_at';

const LIST = paged('${snake}.list', {
  columns: COLUMNS,
  rows: 'from ${table} where ${owner}_id = $1',
  id: 'id',
  keys: { name: byName('name'), created_at: byTime('created_at') },
});
const LOCK = statement('${snake}.lock', \`select \${COLUMNS} from ${table} where ${owner}_id = $1 and id = $2 for update\`);
`;

/** The calls of the repository from which the tests learn the statements of TypeORM. */
export const callsFor = ({ Plural }, { Owner }) => `callsOf(${Plural}Repository, {
    find: (rows) => rows.find(${Owner.toUpperCase()}, ROW),
    findIdByName: (rows) => rows.findIdByName(${Owner.toUpperCase()}, 'NAME'),
    insert: (rows) => rows.insert(${Owner.toUpperCase()}, { name: 'Second', description: null }),
    update: (rows) => rows.update(${Owner.toUpperCase()}, ROW, { name: 'Second', description: null }),
    delete: (rows) => rows.delete(${Owner.toUpperCase()}, ROW),
  })`;

/** The row of these calls. */
export const rowFor = ({ table }, { owner }) =>
  `\`insert into ${table} (id, ${owner}_id, name) overriding system value values (\${ROW}, \${${owner.toUpperCase()}}, 'Name')\``;

const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
