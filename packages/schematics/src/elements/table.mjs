import { CONTROLLER, GATEWAY, PROVIDER, RESOLVER, SERVICE } from './registered.mjs';
import { DECORATOR, FILTER, GUARD, INTERCEPTOR, MIDDLEWARE, PIPE } from './around-routes.mjs';

const CLASS = {
  suffix: '',
  ending: '',
  code: ({ Class, words }) => `/** The ${words}. */
export class ${Class} {
  constructor(readonly name: string) {}
}
`,
  spec: ({ Class, stem }) => `import { ${Class} } from './${stem}.js';

describe('${Class}', () => {
  it('has the name that it was created with', () => {
    expect(new ${Class}('first').name).toBe('first');
  });
});
`,
};

const INTERFACE = {
  suffix: 'interface',
  ending: '',
  code: ({ Class, words }) => `/** The ${words}, as other code sees them. */
export interface ${Class} {
  readonly name: string;
}
`,
};

/**
 * The elements that the Nest CLI generates. `suffix` and `ending`: of the name of the file and of the class. `list`: the
 * list of its module that has the element. `packages`: what an app with the element needs in production.
 */
export const ELEMENTS = {
  class: CLASS,
  interface: INTERFACE,
  controller: CONTROLLER,
  decorator: DECORATOR,
  filter: FILTER,
  gateway: GATEWAY,
  guard: GUARD,
  interceptor: INTERCEPTOR,
  middleware: MIDDLEWARE,
  pipe: PIPE,
  provider: PROVIDER,
  resolver: RESOLVER,
  service: SERVICE,
};
