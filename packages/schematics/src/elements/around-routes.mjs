// Elements around the handler of a route. A decorator names them, or a module binds them.

export const GUARD = {
  suffix: 'guard',
  ending: 'Guard',
  code: ({ Class }) => `import { type CanActivate, Injectable } from '@nestjs/common';
import { DomainError } from '@libs/domain';

/** Fails closed: it refuses every call until it says whom it admits. */
@Injectable()
export class ${Class} implements CanActivate {
  canActivate(): boolean {
    throw new DomainError('insufficient_permissions', 'This guard refuses every caller.');
  }
}
`,
  spec: ({ Class, stem }) => `import { DomainError } from '@libs/domain';
import { ${Class} } from './${stem}.js';

describe('${Class}', () => {
  it('refuses every call', () => {
    expect(() => new ${Class}().canActivate()).toThrow(DomainError);
  });
});
`,
};

export const PIPE = {
  suffix: 'pipe',
  ending: 'Pipe',
  code: ({ Class }) => `import { Injectable, type PipeTransform } from '@nestjs/common';

/** Passes a value of the request on to the handler. */
@Injectable()
export class ${Class}<T> implements PipeTransform<T, T> {
  transform(value: T): T {
    return value;
  }
}
`,
  spec: ({ Class, stem }) => `import { ${Class} } from './${stem}.js';

describe('${Class}', () => {
  it('passes a value on', () => {
    const value = { name: 'first' };

    expect(new ${Class}().transform(value)).toBe(value);
  });
});
`,
};

export const INTERCEPTOR = {
  suffix: 'interceptor',
  ending: 'Interceptor',
  code: ({
    Class,
  }) => `import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';

/** Runs around a handler, and passes its answer on. */
@Injectable()
export class ${Class}<T> implements NestInterceptor<T, T> {
  intercept(_: ExecutionContext, next: CallHandler<T>): Observable<T> {
    return next.handle();
  }
}
`,
  spec: ({ Class, stem }) => `import type { ExecutionContext } from '@nestjs/common';
import { lastValueFrom, of } from 'rxjs';
import { ${Class} } from './${stem}.js';

describe('${Class}', () => {
  it('passes the answer of the handler on', async () => {
    const answer = new ${Class}<string>().intercept({} as ExecutionContext, { handle: () => of('answer') });

    expect(await lastValueFrom(answer)).toBe('answer');
  });
});
`,
};

export const MIDDLEWARE = {
  suffix: 'middleware',
  ending: 'Middleware',
  code: ({ Class }) => `import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Runs before the guard, and passes the request on. */
@Injectable()
export class ${Class} implements NestMiddleware<Request, Response> {
  use(_request: Request, _response: Response, next: NextFunction): void {
    next();
  }
}
`,
  spec: ({ Class, stem }) => `import type { Request, Response } from 'express';
import { ${Class} } from './${stem}.js';

describe('${Class}', () => {
  it('passes the request on', () => {
    const calls: unknown[][] = [];

    new ${Class}().use({} as Request, {} as Response, (...errors: unknown[]) => void calls.push(errors));

    expect(calls).toEqual([[]]);
  });
});
`,
};

export const DECORATOR = {
  suffix: 'decorator',
  ending: '',
  code: ({ Class, CONSTANT, words }) => `import { type CustomDecorator, SetMetadata } from '@nestjs/common';

/** The key of the metadata. A guard or an interceptor reads it with the Reflector. */
export const ${keyOf(CONSTANT)} = Symbol('landlord.${CONSTANT.toLowerCase()}');

/** Declares the ${words} of a route or of a class. */
export const ${Class} = (...values: string[]): CustomDecorator<symbol> => SetMetadata(${keyOf(CONSTANT)}, values);
`,
  spec: ({ Class, CONSTANT, stem }) => `import { ${[keyOf(CONSTANT), Class].join(', ')} } from './${stem}.js';

@${Class}('first', 'second')
class Declared {}

describe('${Class}', () => {
  it('declares its values', () => {
    expect(Reflect.getMetadata(${keyOf(CONSTANT)}, Declared)).toEqual(['first', 'second']);
  });
});
`,
};

/** A name of one letter would be the name of the decorator, too. */
function keyOf(CONSTANT) {
  return `${CONSTANT}_KEY`;
}

export const FILTER = {
  suffix: 'filter',
  ending: 'Filter',
  code: ({ Class }) => `import { type ArgumentsHost, Catch } from '@nestjs/common';
import { ProblemFilter } from '@libs/http';

/** Answers errors of the routes that use it with problem documents, as every route does. */
@Catch()
export class ${Class} extends ProblemFilter {
  override catch(thrown: unknown, host: ArgumentsHost): void {
    super.catch(thrown, host);
  }
}
`,
  spec: ({ Class, stem }) => `import { Controller, Get, UseFilters } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DomainError } from '@libs/domain';
import { ${Class} } from './${stem}.js';

@Controller('failing')
@UseFilters(${Class})
class FailingController {
  @Get()
  fail(): never {
    throw new DomainError('route_not_found', 'No such route.');
  }
}

describe('${Class}', () => {
  it('answers an error with a problem document', async () => {
    const module = await Test.createTestingModule({ controllers: [FailingController] })
      .useMocker(() => ({ signal: new AbortController().signal, closeAfter: () => undefined }))
      .compile();
    const app = module.createNestApplication();
    await app.listen(0, '127.0.0.1');
    try {
      const answer = await fetch(\`\${await app.getUrl()}/failing\`);

      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(await answer.json()).toMatchObject({ code: 'route_not_found' });
    } finally {
      await app.close();
    }
  });
});
`,
};
