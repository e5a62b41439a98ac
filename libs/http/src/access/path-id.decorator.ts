import { applyDecorators, Injectable, Param, type PipeTransform } from '@nestjs/common';
import { DomainError, ERRORS, parseId, type ErrorCode } from '@libs/domain';
import { FailsWith } from '../errors/fails-with.decorator.js';
import { idParameter, InTenant, OfDeployment } from './in-tenant.decorator.js';

/** A resource below the tenant, addressed by `<name>_id` in the path. The error for a missing one is `<name>_not_found`. */
type Resource = { [Code in ErrorCode]: Code extends `${infer Name}_not_found` ? Name : never }[ErrorCode];

/** Documents the id of a resource of the tenant in the path. Handlers read the id with `PathId`. */
export const OfTenant = (name: Resource, description: string): MethodDecorator =>
  applyDecorators(InTenant(), idParameter(`${name}_id`, description), FailsWith(`${name}_not_found`));

/** Documents the id of a resource of the deployment in the path. For the Supervisor. */
export const OfTheDeployment = (name: Resource, description: string): MethodDecorator =>
  applyDecorators(OfDeployment(), idParameter(`${name}_id`, description), FailsWith(`${name}_not_found`));

/** The id in the path. Refuses an invalid id with 404, because no resource can have it (C-1.2). */
export const PathId = (name: `${Resource}_id`): ParameterDecorator =>
  Param(name, new PathIdPipe(`${name.slice(0, -'_id'.length)}_not_found` as ErrorCode));

@Injectable()
class PathIdPipe implements PipeTransform<string, number> {
  constructor(private readonly code: ErrorCode) {}

  transform(text: string): number {
    const id = parseId(text);
    if (id === null) throw new DomainError(this.code, `${ERRORS[this.code].title}.`);
    return id;
  }
}
