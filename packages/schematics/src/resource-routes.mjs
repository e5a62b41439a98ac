// The routes of a generated resource: input, output and controller. They follow the cloud accounts of a tenant, and the access
// rules of a deployment.

import { dtoImportsOf } from './resource-service.mjs';

const PATHS = { tenant: 'tenants/:tenant_id', deployment: 'deployments/:deployment_id' };

const quoted = (words) => words.map((word) => `'${word}'`).join(', ');

export const createDtoOf = (
  { Singular, word },
  { owner },
) => `import { ClearableText, Example, IsName, IsText } from '@libs/http';

/** A new ${word}. */
@Example<Create${Singular}Dto>({ name: 'first ${word}', description: 'To look around.' })
export class Create${Singular}Dto {
  @IsName('Unique in the ${owner}, without regard to case.')
  name: string;

  @ClearableText()
  @IsText(500, 'What the ${word} is for.')
  description?: string | null;
}
`;

export const updateDtoOf = (
  { Singular, word, aWord },
  { owner },
) => `import { ClearableText, Example, IsName, IsText, Optional, UpdateDto } from '@libs/http';

/** Changes of ${aWord}. An omitted member is unchanged. */
@Example<Update${Singular}Dto>({ name: 'second ${word}', description: null })
export class Update${Singular}Dto extends UpdateDto {
  @Optional()
  @IsName('Unique in the ${owner}, without regard to case.')
  name?: string;

  @ClearableText()
  @IsText(500, 'What the ${word} is for.')
  description?: string | null;
}
`;

export const viewOf = ({ Singular, word, aWord }, { owner }, rule) => `import { ApiId, Resource } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** ${capital(aWord)} of a ${owner} (${rule}). */
@Resource<${Singular}View>({ namedBy: 'name', columns: ['id', 'name', 'created_at', 'description'] })
export class ${Singular}View {
  @ApiId('The ${word}.')
  id: number;

  /** Unique in the ${owner}, without regard to case. */
  name: string;

  /** What the ${word} is for. Null for none. */
  description: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updated_at: string;
}
`;

export function controllerOf(names, { owner, permissions, errors }) {
  const { Plural, Singular, plural, singular, camel, snake, table, words, word, aWord } = names;
  const id = `@PathId() id: ${Singular}Id`;
  const conflicts = errors.length > 0 ? `\n  @FailsWith(${quoted(errors)})` : '';
  return `import { Body, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ${HTTP.join(', ')}, type ActingCaller, type Page } from '@libs/http';
import { Precondition, type Written, type ${Singular}Id } from '@libs/domain';
${dtoImportsOf(names, 'import')}
import { ${Plural}Service } from './${plural}.service.js';

@Routes('${PATHS[owner]}/${table}', '${capital(words)}', { ${snake}_id: '${capital(aWord)} of the ${owner}.' })
export class ${Plural}Controller {
  constructor(private readonly ${camel}: ${Plural}Service) {}

  /** Creates ${aWord}. */
  @Post()
  @Writes('${permissions.manage}', '${snake}_created')
  @Creates(${Singular}View, '${singular}')
  @FailsWith(${quoted(['name_taken', ...errors])})
  create(@Actor() actor: ActingCaller, @Body() dto: Create${Singular}Dto): Promise<Written<${Singular}View>> {
    return this.${camel}.create(actor, dto);
  }

  /** Lists the ${words} of the ${owner}, newest first. */
  @Get()
  @Lists('${permissions.read}', ${Singular}View)
  list(@Actor() actor: ActingCaller, @Query() query: NamedListQuery): Promise<Page<${Singular}View>> {
    return this.${camel}.list(actor, query);
  }

  /** Reads one ${word}. */
  @Get(':${snake}_id')
  @Reads('${permissions.read}', ${Singular}View)
  get(@Actor() actor: ActingCaller, ${id}): Promise<${Singular}View> {
    return this.${camel}.get(actor, id);
  }

  /** Changes ${aWord}; members that are left out stay unchanged. */
  @Put(':${snake}_id')
  @WritesWhenChanged('${permissions.manage}', '${snake}_updated')
  @FailsWith(${quoted(['name_taken', ...errors])})
  update(
    @Actor() actor: ActingCaller,
    ${id},
    @Body() dto: Update${Singular}Dto,
    @IfMatch() precondition: Precondition,
  ): Promise<void> {
    return this.${camel}.update(actor, id, dto, precondition);
  }

  /** Deletes ${aWord}. */
  @Delete(':${snake}_id')
  @Writes('${permissions.manage}', '${snake}_deleted')${conflicts}
  delete(@Actor() actor: ActingCaller, ${id}, @IfMatch() precondition: Precondition): Promise<void> {
    return this.${camel}.delete(actor, id, precondition);
  }
}
`;
}

const HTTP = [
  ...['Actor', 'Creates', 'FailsWith', 'IfMatch', 'Lists', 'NamedListQuery', 'PathId', 'Reads', 'Routes', 'Writes'],
  'WritesWhenChanged',
];

const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
