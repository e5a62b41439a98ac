import { Body, Delete, Get, Post, Put, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { ACCESS, ANY_CALLER, everybody, SESSION } from '../access/access.decorator.js';
import { Creates, LOCATION, LocatedAt, Reads, Returns, Sends } from '../answers/answers.decorator.js';
import { declaredErrors, FailsWith } from '../errors/fails-with.decorator.js';
import { IfMatch, KeepsNoAnswer, Writes, WritesUnaudited } from '../writes/writes.decorator.js';
import { PathId } from './path-id.decorator.js';
import { Routes } from './routes.decorator.js';

class View {
  name: string;
}

const OF_A_ROLE = { role_id: 'A role of the tenant.' };

@Routes('tenants/:tenant_id/roles', 'Roles', { ...OF_A_ROLE, member_id: 'A member.' })
class RolesController {
  @Post()
  @Writes('role:manage', 'role_created')
  @Creates(View, 'role')
  create(@Body() _body: View): void {
    return;
  }

  @Post('copies')
  @Writes('role:manage', 'role_created')
  @Creates(View, 'role')
  copy(): void {
    return;
  }

  @Get(':role_id')
  @Reads('role:read', View)
  get(@PathId() _id: number): void {
    return;
  }

  @Put(':role_id/members/:member_id')
  @Writes('role:manage', 'role_assigned')
  @Returns(View)
  assign(@PathId('member_id') _member: number, @PathId('role_id') _id: number): void {
    return;
  }

  @Delete(':role_id')
  @Writes('role:manage', 'role_deleted')
  @FailsWith('not_empty')
  delete(@PathId() _id: number, @IfMatch() _condition: unknown): void {
    return;
  }

  @Post('open')
  @WritesUnaudited(everybody('anybody may'), 'records nothing')
  open(): void {
    return;
  }

  @Post('secret')
  @WritesUnaudited(SESSION, 'records nothing')
  @KeepsNoAnswer()
  secret(): void {
    return;
  }

  helper(): void {
    return;
  }
}

const handlerOf = (name: keyof RolesController): object => Reflect.get(RolesController.prototype, name);
const read = (key: string | symbol, name: keyof RolesController): unknown => Reflect.getMetadata(key, handlerOf(name));
const parametersOf = (name: keyof RolesController): { name: string; description?: string; schema?: object }[] =>
  read('swagger/apiParameters', name) as { name: string }[];
const namesOf = (name: keyof RolesController): string[] => parametersOf(name).map((parameter) => parameter.name);

describe('The path of a route', () => {
  it('describes its parameters: those of the controller, then the scope', () => {
    expect(parametersOf('get')).toMatchObject([
      { name: 'role_id', description: 'A role of the tenant.', schema: { type: 'integer', minimum: 1 } },
      { name: 'tenant_id', description: 'The tenant.' },
    ]);
  });

  it('implies the errors of what does not exist, and of unknown members of the query', () => {
    expect(declaredErrors(handlerOf('get'))).toEqual(
      expect.arrayContaining(['role_not_found', 'tenant_not_found', 'validation_failed']),
    );
    expect(declaredErrors(handlerOf('assign'))).toContain('member_not_found');
    expect(declaredErrors(handlerOf('create'))).not.toContain('role_not_found');
  });

  it('gives an id its name where the handler does not name it', () => {
    const idsOf = (name: string): unknown[] =>
      Object.values(
        Reflect.getMetadata(ROUTE_ARGS_METADATA, RolesController, name) as Record<string, { data: unknown }>,
      )
        .map(({ data }) => data)
        .filter((data) => typeof data === 'string');

    expect([idsOf('get'), idsOf('assign')]).toEqual([['role_id'], ['role_id', 'member_id']]);
  });
});

describe('A write', () => {
  it('answers 204 unless it states another answer', () => {
    const names = ['create', 'assign', 'delete', 'open'] as const;

    expect(names.map((name) => read(HTTP_CODE_METADATA, name))).toEqual([201, 200, 204, 204]);
  });

  it('has the location of what it creates if the controller reads it there', () => {
    expect(read(LOCATION, 'create')).toEqual({ template: ':role', members: [] });
    expect([read(LOCATION, 'copy'), read(LOCATION, 'delete')]).toEqual([undefined, undefined]);
  });

  it('documents an idempotency key, except where none helps', () => {
    expect(namesOf('create')).toEqual(['tenant_id', 'idempotency-key']);
    expect(['delete', 'open', 'secret', 'get'].flatMap((name) => namesOf(name as 'get'))).not.toContain(
      'idempotency-key',
    );
  });

  it('documents if-match where its handler reads it', () => {
    expect(namesOf('delete')).toEqual(['if-match', 'role_id', 'tenant_id']);
    expect(declaredErrors(handlerOf('delete'))).toEqual(expect.arrayContaining(['not_empty', 'precondition_failed']));
  });
});

/** A controller with one route, declared in the usual way. */
function declare(
  path: string,
  decorators: MethodDecorator[],
  { inputs = [], parameters = {} }: { inputs?: ParameterDecorator[]; parameters?: Record<string, string> } = {},
): () => Type {
  return () => {
    class OneController {
      handle(): void {
        return;
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(OneController.prototype, 'handle') ?? {};
    inputs.forEach((input, index) => input(OneController.prototype, 'handle', index));
    for (const decorator of decorators) decorator(OneController.prototype, 'handle', descriptor);
    Routes(path, 'Roles', parameters)(OneController);
    return OneController;
  };
}

describe('A controller', () => {
  const send = Sends(ANY_CALLER);
  const write = Writes(ANY_CALLER, 'role_created');
  const creates = Creates(View, 'role');

  it.each<[string, () => Type, string]>([
    ['without callers', declare('roles', [Get()]), 'does not say who may call it'],
    ['with a route that says its callers twice', declare('roles', [Post(), send, write]), 'says twice who may call it'],
    ['with a write that says nothing', declare('roles', [Post(), send]), 'does not say what it records'],
    ['with a read that records', declare('roles', [Get(), write]), 'is a read, which records nothing'],
    ['with an id that nothing describes', declare('roles/:role_id', [Get(), send]), 'nothing describes: role_id'],
    [
      'with a description that no path has',
      declare('roles', [Get(), send], { parameters: OF_A_ROLE }),
      'no path of OneController has role_id',
    ],
    [
      'with an id that no error fits',
      declare('roles/:thing_id', [Get(), send], { parameters: { thing_id: 'A thing.' } }),
      'no error has the code thing_not_found',
    ],
    [
      'with a handler that reads no id of the path',
      declare('roles', [Get(), send], { inputs: [PathId()] }),
      'reads an id',
    ],
    [
      'with a handler that reads one of several ids',
      declare('roles/:role_id/:member_id', [Get(), send], {
        inputs: [PathId()],
        parameters: { ...OF_A_ROLE, member_id: 'A member.' },
      }),
      'reads an id that its path does not have, or has several of',
    ],
    [
      'with a location without a value',
      declare('roles', [Post(), write, creates, LocatedAt('/tenants/:tenant_id/roles/:role')]),
      'has no value for its location: tenant_id',
    ],
  ])('%s is refused', (_, declared, says) => {
    expect(declared).toThrow(says);
  });

  it('with a location of which the path, the created resources and the record have every part is not refused', () => {
    const at = LocatedAt('/tenants/:tenant_id/:role/:name', 'name');
    const controller = declare('tenants/:tenant_id', [Post(), write, creates, at])();

    expect(Reflect.getMetadata(ACCESS, controller.prototype.handle as object)).toEqual(ANY_CALLER);
  });
});
