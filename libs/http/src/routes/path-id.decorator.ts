import { Param, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { DomainError, ERRORS, parseId, type ErrorCode } from '@libs/domain';

/** A resource of a path, addressed by `<name>_id`. The error for a missing one is `<name>_not_found`. */
type Resource = { [Code in ErrorCode]: Code extends `${infer Name}_not_found` ? Name : never }[ErrorCode];

class PathIdPipe implements PipeTransform<string, number> {
  transform(text: string, { data }: ArgumentMetadata): number {
    const id = parseId(text);
    if (id !== null) return id;
    const code = `${data?.replace(/_id$/, '')}_not_found` as ErrorCode;
    throw new DomainError(code, `${ERRORS[code].title}.`);
  }
}

/** The pipe of every id, by which `@Routes` finds the ids of a handler. */
export const PATH_ID = new PathIdPipe();

/**
 * The id in the path, below the tenant or the deployment. A path with several of them needs the name. Refuses an invalid id with 404,
 * because no resource can have it (C-1.2).
 */
export const PathId = (name?: `${Resource}_id`): ParameterDecorator =>
  name === undefined ? Param(PATH_ID) : Param(name, PATH_ID);
