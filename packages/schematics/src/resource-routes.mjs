// The routes of a generated resource: input, output and controller. They follow the cloud accounts of a tenant, and the access
// rules of a deployment.

import { dtoImportsOf } from './resource-service.mjs';

/** Where the ids of the path belong. */
const PATHS = {
  tenant: { inOwner: 'InTenant', ofOwner: 'OfTenant', path: 'tenants/:tenant_id' },
  deployment: { inOwner: 'OfDeployment', ofOwner: 'OfTheDeployment', path: 'deployments/:deployment_id' },
};

const quoted = (words) => words.map((word) => `'${word}'`).join(', ');

export const createDtoOf = (
  { Singular, word },
  { owner },
) => `import { ClearableText, IsName, IsText } from '@libs/http';

/** A new ${word}. */
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
) => `import { ClearableText, IsName, IsText, Optional, UpdateDto } from '@libs/http';

/** Changes of ${aWord}. An omitted member is unchanged. */
export class Update${Singular}Dto extends UpdateDto {
  @Optional()
  @IsName('Unique in the ${owner}, without regard to case.')
  name?: string;

  @ClearableText()
  @IsText(500, 'What the ${word} is for.')
  description?: string | null;
}
`;

export const viewOf = ({ Singular, word, aWord }, { owner }, rule) => `import { ApiId } from '@libs/http';
import { ApiProperty } from '@nestjs/swagger';

/** ${capital(aWord)} of a ${owner} (${rule}). */
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
  const { inOwner, ofOwner, path } = PATHS[owner];
  const of = `@${ofOwner}('${snake}', '${capital(aWord)} of the ${owner}.')`;
  const id = `@PathId('${snake}_id') id: ${Singular}Id`;
  const conflicts = errors.length > 0 ? `\n  @FailsWith(${quoted(errors)})` : '';
  return `import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ${HTTP.concat(inOwner, ofOwner)
    .sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1))
    .join(', ')}, type ActingCaller, type Page } from '@libs/http';
import { Precondition, type Written, type ${Singular}Id } from '@libs/domain';
${dtoImportsOf(names, 'import')}
import { ${Plural}Service } from './${plural}.service.js';

@ApiTags('${capital(words)}')
@Controller('${path}/${table}')
export class ${Plural}Controller {
  constructor(private readonly ${camel}: ${Plural}Service) {}

  /** Creates ${aWord}. */
  @Post()
  @RequirePermission('${permissions.manage}')
  @Idempotent()
  @Audited('${snake}_created')
  @${inOwner}()
  @Creates(${Singular}View, '${singular}')
  @LocatedAt('/${path}/${table}/:${singular}')
  @FailsWith(${quoted(['name_taken', ...errors])})
  create(@Actor() actor: ActingCaller, @Body() dto: Create${Singular}Dto): Promise<Written<${Singular}View>> {
    return this.${camel}.create(actor, dto);
  }

  /** Lists the ${words} of the ${owner}, newest first. */
  @Get()
  @RequirePermission('${permissions.read}')
  @${inOwner}()
  @ReturnsPageOf(${Singular}View)
  @FailsWith('validation_failed')
  list(@Actor() actor: ActingCaller, @Query() query: PageQuery): Promise<Page<${Singular}View>> {
    return this.${camel}.list(actor, query);
  }

  /** Reads one ${word}. */
  @Get(':${snake}_id')
  @RequirePermission('${permissions.read}')
  ${of}
  @Returns(${Singular}View)
  get(@Actor() actor: ActingCaller, ${id}): Promise<${Singular}View> {
    return this.${camel}.get(actor, id);
  }

  /** Changes ${aWord}; members that are left out stay unchanged. */
  @Put(':${snake}_id')
  @RequirePermission('${permissions.manage}')
  @Idempotent()
  @AuditedWhenChanged('${snake}_updated')
  ${of}
  @HonoursIfMatch()
  @NoContent()
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
  @RequirePermission('${permissions.manage}')
  @InTransaction()
  @Audited('${snake}_deleted')
  ${of}
  @HonoursIfMatch()
  @NoContent()${conflicts}
  delete(@Actor() actor: ActingCaller, ${id}, @IfMatch() precondition: Precondition): Promise<void> {
    return this.${camel}.delete(actor, id, precondition);
  }
}
`;
}

const HTTP = [
  ...['Actor', 'Audited', 'AuditedWhenChanged', 'Creates', 'FailsWith', 'HonoursIfMatch', 'Idempotent', 'IfMatch'],
  ...['InTransaction', 'LocatedAt', 'NoContent', 'PageQuery', 'PathId', 'RequirePermission', 'Returns'],
  'ReturnsPageOf',
];

const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
